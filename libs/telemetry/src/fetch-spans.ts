import { subscribe } from 'node:diagnostics_channel';
import type { OpenSpan, Tracing } from './spans.js';

/** A request of `fetch`, as Node's channels `undici:request:*` show it. */
interface SentRequest {
  readonly origin: string;
  readonly method: string;
  addHeader(name: string, value: string): void;
}

interface Message {
  readonly request: SentRequest;
  readonly response?: { readonly statusCode: number };
  readonly error?: { readonly name: string };
}

/** Makes a span of every `fetch` below another span, and passes the trace on. Of the URL, only the host is told. */
export function traceFetches(tracing: Tracing): void {
  const spans = new WeakMap<SentRequest, OpenSpan>();
  // What breaks within its answer is told of twice, and a span ends once.
  const take = (request: SentRequest): OpenSpan | undefined => {
    const span = spans.get(request);
    spans.delete(request);
    return span;
  };
  const on = (event: string, then: (message: Message) => void): void => {
    subscribe(`undici:request:${event}`, (message) => {
      then(message as Message);
    });
  };
  on('create', ({ request }) => {
    const facts = { 'http.request.method': request.method, 'server.address': new URL(request.origin).host };
    const span = tracing.begin(request.method, 'client', facts);
    spans.set(request, span);
    for (const [name, value] of Object.entries(span.headers())) request.addHeader(name, value);
  });
  on('headers', ({ request, response }) => {
    const status = response?.statusCode ?? 0;
    take(request)?.end({ 'http.response.status_code': status }, status >= 400 ? String(status) : undefined);
  });
  on('error', ({ request, error }) => take(request)?.end({}, error?.name ?? 'Error'));
}
