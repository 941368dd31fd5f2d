import { tracing } from '@rdc/telemetry';
import { SpanKind, type Span, type Telemetry } from 'bullmq';
import type { Context } from '@opentelemetry/api';

type QueueTelemetry = Telemetry<Context>;

/** A span that records nothing, for internal operations of the queue. Spans within it attach to its parent. */
const noopSpan: Span<Context> = {
  setSpanOnContext: (context) => context,
  setAttribute: () => undefined,
  setAttributes: () => undefined,
  addEvent: () => undefined,
  recordException: () => undefined,
  end: () => undefined,
};

/**
 * Returns the telemetry that carries the trace of a job from its producer to its worker, as `traceparent` in the
 * options of the job. Adding and processing a job create spans; other operations of the queue do not.
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
        const isRecorded =
          options?.kind === SpanKind.CONSUMER || (options?.kind === SpanKind.PRODUCER && isWithinTrace());
        return isRecorded ? withoutExceptions(tracer.startSpan(name, options, context)) : noopSpan;
      },
    },
  };
}

const isWithinTrace = (): boolean => tracing.traceId() !== null;

/** Disables exceptions: a requeued job is not an error, and error messages may contain names of files. */
function withoutExceptions(span: Span<Context>): Span<Context> {
  span.recordException = () => undefined;
  return span;
}
