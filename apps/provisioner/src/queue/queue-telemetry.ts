import { tracing } from '@rdc/telemetry';
import { SpanKind, type Span, type Telemetry } from 'bullmq';
import type { Context } from '@opentelemetry/api';

type QueueTelemetry = Telemetry<Context>;

/** Stands for work of the queue that nobody looks for: what it runs is told of as if this were not there. */
const untold: Span<Context> = {
  setSpanOnContext: (context) => context,
  setAttribute: () => undefined,
  setAttributes: () => undefined,
  addEvent: () => undefined,
  recordException: () => undefined,
  end: () => undefined,
};

/**
 * Carries the trace in which a job is added to the worker that takes it, on either backend: a job's options hold its
 * `traceparent`. Spans tell of a job that is added or processed; how a worker asks for jobs and keeps them makes none.
 *
 * @returns undefined while tracing is off
 */
export async function queueTelemetry(): Promise<QueueTelemetry | undefined> {
  if (!tracing.isOn) return undefined;
  const { BullMQOtel } = await import('bullmq-otel');
  const { tracer, contextManager } = new BullMQOtel({ tracerName: 'bullmq' });
  return {
    contextManager,
    tracer: {
      startSpan: (name, options, context) => {
        const isTold = options?.kind === SpanKind.CONSUMER || (options?.kind === SpanKind.PRODUCER && isWithinTrace());
        return isTold ? withoutMessages(tracer.startSpan(name, options, context)) : untold;
      },
    },
  };
}

const isWithinTrace = (): boolean => tracing.traceId() !== null;

/** A job that is given back or put off is no error, and messages of errors may hold names of files. */
function withoutMessages(span: Span<Context>): Span<Context> {
  span.recordException = () => undefined;
  return span;
}
