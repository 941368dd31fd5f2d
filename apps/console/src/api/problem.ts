/** An invalid member of a request, by its path as the services write it: `data_declarations[0].title`. */
export interface FieldProblem {
  readonly field: string;
  readonly problem: string;
}

/** The error envelope of both services. */
interface Envelope {
  readonly description: string;
  readonly more: Readonly<Record<string, unknown>>;
}

/** A request that a service refused or that did not reach a service. `message` is written for the user. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    message: string,
    /** The stable error code, or `unreachable` if no service responded. */
    readonly code: string,
    /** All other members of the error. */
    readonly more: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }

  /** The invalid members of the request, if the error lists them. */
  get fields(): readonly FieldProblem[] {
    const { fields } = this.more;
    return Array.isArray(fields) ? (fields as FieldProblem[]) : [];
  }

  /** The id under which the service logged the request. */
  get requestId(): string | undefined {
    const { request_id: id } = this.more;
    return typeof id === 'string' ? id : undefined;
  }
}

/** Returns the problem that an error response describes. */
export function problemOf(body: unknown, status: number): Problem {
  if (isEnvelope(body)) return new Problem(body.description, String(body.more['code']), body.more);
  return new Problem(`The service answered ${String(status)}.`, 'server.fault');
}

function isEnvelope(body: unknown): body is Envelope {
  const { description, more } = (body ?? {}) as Partial<Envelope>;
  return typeof description === 'string' && typeof more === 'object';
}
