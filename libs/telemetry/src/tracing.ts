/** What a span says of its work: never a key, a token, an address of a person, a query string or a value of a statement. */
export type Facts = Readonly<Record<string, string | number | boolean>>;

/** Which side of a call a span is: work of our own, or a call of ours to somebody else. */
export type SpanKind = 'internal' | 'client';

/** A span under way. */
export interface OpenSpan {
  /** Ends it. @param failure a stable code, when the work failed */
  end(facts?: Facts, failure?: string): void;
  /** The headers by which whoever is called goes on with the trace (W3C Trace Context). */
  headers(): Readonly<Record<string, string>>;
}

/** The span of a request that this process answers. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs what answers the request, so that spans begun in it are below this one. */
  run(answer: () => void): void;
  /** Ends it once the answer is out. @param route the template of the route, never the path */
  end(route: string, status: number): void;
}

/**
 * What the services know of tracing. Libraries of OpenTelemetry are behind it and are not loaded while it is off.
 *
 * A span begins only below another one: below a request, or below a job of a worker. What a process does by itself,
 * such as asking the queue for jobs, makes no traces.
 */
export interface Tracing {
  readonly isOn: boolean;
  /** @param headers of the request, if its sender may say to which trace it belongs */
  beginRequest(method: string, headers: Readonly<Record<string, unknown>>): RequestSpan;
  begin(name: string, kind: SpanKind, facts?: Facts): OpenSpan;
  /** Says of the present span that its work failed. @param failure a stable code */
  fail(failure: string): void;
  /** The trace that the caller works for; null outside of any. */
  traceId(): string | null;
  /** Sends what is left, and ends. */
  stop(): Promise<void>;
}

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
  fail: () => undefined,
  traceId: () => null,
  stop: () => Promise.resolve(),
};

/** The tracing of this process: off until `startTracing` has found it wanted. */
export let tracing: Tracing = off;

/** Who is traced. */
export interface TracedService {
  /** `service.name`, unless `OTEL_SERVICE_NAME` says another. */
  readonly name: string;
  readonly version: string;
  /** Told when spans cannot be sent. */
  readonly warn: (message: string) => void;
}

/**
 * Switches tracing on when `OTEL_EXPORTER_OTLP_ENDPOINT` is set, and neither `OTEL_SDK_DISABLED=true` nor
 * `OTEL_TRACES_EXPORTER=none` forbids it. Comes before anything else is started.
 *
 * @param environment of the process, in which OpenTelemetry finds its own variables
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
