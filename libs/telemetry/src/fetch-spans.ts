import { subscribe } from 'node:diagnostics_channel';
import type { OpenSpan, Tracing } from './spans.js';

/** A request of `fetch` in the messages of Node's diagnostics channels `undici:request:*`. */
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

/** Creates a child span for every `fetch` and sends the trace headers. Of the URL, the span contains only the host. */
export function traceFetches(tracing: Tracing): void {
  const spans = new WeakMap<SentRequest, OpenSpan>();
  // If a connection breaks during the response, `headers` and `error` are both published. The span ends at the first.
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
