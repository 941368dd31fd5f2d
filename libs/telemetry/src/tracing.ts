import type { OpenSpan, TracedService, Tracing } from './spans.js';

const noSpan: OpenSpan = { end: () => undefined, headers: () => ({}) };

const off: Tracing = {
  isOn: false,
  beginRequest: () => ({
    traceId: '',
    run: (answer) => {
      answer();
    },
    end: () => undefined,
  }),
  begin: () => noSpan,
  runCommand: (_name, run) => run(),
  fail: () => undefined,
  traceId: () => null,
  stop: () => Promise.resolve(),
};

/** The tracing of this process, which is off until `startTracing` switches it on. */
export let tracing: Tracing = off;

/**
 * Switches tracing on if `OTEL_EXPORTER_OTLP_ENDPOINT` is set and neither `OTEL_SDK_DISABLED=true` nor
 * `OTEL_TRACES_EXPORTER=none` is set. Call this function before the application starts.
 *
 * @param environment the environment of the process, from which OpenTelemetry reads its variables
 */
export async function startTracing(
  environment: Readonly<Record<string, string | undefined>>,
  service: TracedService,
): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER } = environment;
  const isForbidden = OTEL_SDK_DISABLED?.toLowerCase() === 'true' || OTEL_TRACES_EXPORTER === 'none';
  if (!OTEL_EXPORTER_OTLP_ENDPOINT?.trim() || isForbidden) return;
  const { OpenTelemetryTracing } = await import('./opentelemetry.js');
  tracing = new OpenTelemetryTracing(service);
}
