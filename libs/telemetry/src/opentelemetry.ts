import {
  context,
  diag,
  DiagLogLevel,
  propagation,
  ROOT_CONTEXT,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { randomUUID } from 'node:crypto';
import { traceFetches } from './fetch-spans.js';
import type { Facts, OpenSpan, RequestSpan, SpanKind, TracedService, Tracing } from './spans.js';

const kinds = { internal: Kind.INTERNAL, client: Kind.CLIENT } as const;

const isServerError = (status: number): boolean => status >= 500;

/** Tracing by OTLP over HTTP, configured by OpenTelemetry's `OTEL_*` variables. */
export class OpenTelemetryTracing implements Tracing {
  readonly isOn = true;
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;

  constructor({ name, version, warn }: TracedService) {
    const log = { error: warn, warn, info: () => undefined, debug: () => undefined, verbose: () => undefined };
    diag.setLogger(log, DiagLogLevel.WARN);
    const own = { 'service.name': name, 'service.version': version, 'service.instance.id': randomUUID() };
    this.provider = new BasicTracerProvider({
      resource: resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    });
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    trace.setGlobalTracerProvider(this.provider);
    this.tracer = trace.getTracer('data-catalog', version);
    traceFetches(this);
  }

  beginRequest(method: string, headers: Readonly<Record<string, unknown>>): RequestSpan {
    const parent = propagation.extract(ROOT_CONTEXT, headers);
    const attributes = { 'http.request.method': method };
    const span = this.tracer.startSpan(method, { kind: Kind.SERVER, attributes }, parent);
    const inside = trace.setSpan(parent, span);
    return {
      traceId: span.spanContext().traceId,
      run: (answer) => {
        context.with(inside, answer);
      },
      end: (route, status) => {
        span.updateName(`${method} ${route}`);
        const failure = isServerError(status) ? String(status) : undefined;
        endSpan(span, { 'http.route': route, 'http.response.status_code': status }, failure);
      },
    };
  }

  begin(name: string, kind: SpanKind, facts: Facts = {}): OpenSpan {
    const parent = context.active();
    // Without a parent, the work is not traced.
    const span = trace.getSpan(parent) ? this.tracer.startSpan(name, { kind: kinds[kind], attributes: facts }) : null;
    return {
      end: (endFacts = {}, failure) => {
        if (span) endSpan(span, endFacts, failure);
      },
      headers: () => (span ? headersOf(trace.setSpan(parent, span)) : {}),
    };
  }

  async runCommand(name: string, run: () => Promise<number>): Promise<number> {
    const span = this.tracer.startSpan(name, {}, ROOT_CONTEXT);
    const code = await context.with(trace.setSpan(ROOT_CONTEXT, span), run);
    endSpan(span, { 'process.exit.code': code }, code === 0 ? undefined : String(code));
    return code;
  }

  fail(failure: string): void {
    const span = trace.getActiveSpan();
    if (span) markFailed(span, failure);
  }

  traceId(): string | null {
    return trace.getActiveSpan()?.spanContext().traceId ?? null;
  }

  async stop(): Promise<void> {
    await this.provider.shutdown();
  }
}

function endSpan(span: Span, facts: Facts, failure: string | undefined): void {
  span.setAttributes(facts);
  if (failure !== undefined) markFailed(span, failure);
  span.end();
}

function markFailed(span: Span, failure: string): void {
  span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR });
}

function headersOf(inside: Context): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(inside, headers);
  return headers;
}
