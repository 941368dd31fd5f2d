/**
 * The attributes of a span. They never contain a key, a token, a person's address, a query string or a parameter of
 * SQL.
 */
export type Facts = Readonly<Record<string, string | number | boolean>>;

/** The kind of a span: `internal` for work of this process, `client` for a call to another service. */
export type SpanKind = 'internal' | 'client';

/** A span that has not ended. */
export interface OpenSpan {
  /** Ends the span. @param failure a stable code if the work failed */
  end(facts?: Facts, failure?: string): void;
  /** Returns the headers by which the called service continues the trace (W3C Trace Context). */
  headers(): Readonly<Record<string, string>>;
}

/** The span of a request that this process answers. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs the handler of the request. Spans that begin in the handler are children of this span. */
  run(answer: () => void): void;
  /** Ends the span after the response. @param route the template of the route, never the path */
  end(route: string, status: number): void;
}

/**
 * The tracing of a process. OpenTelemetry's libraries are loaded only if tracing is on.
 *
 * A span begins only as the child of a request, a worker's job or a command. Background work, such as polling the
 * queue, is not traced.
 */
export interface Tracing {
  readonly isOn: boolean;
  /**
   * Begins the span of a request.
   *
   * @param headers the headers of the request if its sender is trusted, otherwise none
   */
  beginRequest(method: string, headers: Readonly<Record<string, unknown>>): RequestSpan;
  begin(name: string, kind: SpanKind, facts?: Facts): OpenSpan;
  /**
   * Runs a command in a new trace.
   *
   * @param name the name of the command without arguments
   * @returns the exit code of the command
   */
  runCommand(name: string, run: () => Promise<number>): Promise<number>;
  /** Marks the current span as failed. @param failure a stable code */
  fail(failure: string): void;
  /** Returns the id of the current trace; null outside of traces. */
  traceId(): string | null;
  /** Sends the remaining spans and ends tracing. */
  stop(): Promise<void>;
}

/** The identity of a traced service. */
export interface TracedService {
  /** The attribute `service.name`, unless `OTEL_SERVICE_NAME` replaces it. */
  readonly name: string;
  readonly version: string;
  /** Called if spans cannot be sent. */
  readonly warn: (message: string) => void;
}
