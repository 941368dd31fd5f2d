/** The parts of a request in which a session comes, and what the edge noted of where the request came from. */
export interface SessionRequest {
  readonly method: string;
  readonly headers: {
    readonly cookie?: string | undefined;
    readonly origin?: string | undefined;
    readonly [name: string]: string | string[] | undefined;
  };
  /** The origin under which the caller sees this service, e.g. `https://catalog.example.org`. */
  readonly servedOrigin: string;
  /** The caller's address. */
  readonly clientAddress: string;
}
