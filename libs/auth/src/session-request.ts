/** The parts of a request from which a session is identified. */
export interface SessionRequest {
  readonly method: string;
  readonly headers: {
    readonly cookie?: string | undefined;
    readonly origin?: string | undefined;
    readonly [name: string]: string | string[] | undefined;
  };
  /** The origin of the service as the client sees it, e.g. `https://catalog.example.org`. */
  readonly servedOrigin: string;
  /** The caller's address. */
  readonly clientAddress: string;
}
