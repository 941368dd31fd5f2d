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
 * A span begins only below another one: below a request, a job of a worker, or a command line. What a process does by
 * itself, such as asking the queue for jobs, makes no traces.
 */
export interface Tracing {
  readonly isOn: boolean;
  /** @param headers of the request, if its sender may say to which trace it belongs */
  beginRequest(method: string, headers: Readonly<Record<string, unknown>>): RequestSpan;
  begin(name: string, kind: SpanKind, facts?: Facts): OpenSpan;
  /** Runs a command line, which begins a trace. @param name without arguments @returns the code the process ends with */
  runCommand(name: string, run: () => Promise<number>): Promise<number>;
  /** Says of the present span that its work failed. @param failure a stable code */
  fail(failure: string): void;
  /** The trace that the caller works for; null outside of any. */
  traceId(): string | null;
  /** Sends what is left, and ends. */
  stop(): Promise<void>;
}

/** Who is traced. */
export interface TracedService {
  /** `service.name`, unless `OTEL_SERVICE_NAME` says another. */
  readonly name: string;
  readonly version: string;
  /** Told when spans cannot be sent. */
  readonly warn: (message: string) => void;
}
