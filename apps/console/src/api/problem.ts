/** One place of a request that is wrong, as the services name it: `data_declarations[0].title`. */
export interface FieldProblem {
  readonly field: string;
  readonly problem: string;
}

/** What both services answer when something is wrong. */
interface Envelope {
  readonly description: string;
  readonly more: Readonly<Record<string, unknown>>;
}

/** A request that a service refused, or that never reached one. `message` is written for the person who asked. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    message: string,
    /** The stable code of the answer; `unreachable` when there was none. */
    readonly code: string,
    /** Everything else the answer says. */
    readonly more: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }

  /** The places that are wrong, if the answer names any. */
  get fields(): readonly FieldProblem[] {
    const { fields } = this.more;
    return Array.isArray(fields) ? (fields as FieldProblem[]) : [];
  }

  /** Under which the service's log holds the request. */
  get requestId(): string | undefined {
    const { request_id: id } = this.more;
    return typeof id === 'string' ? id : undefined;
  }
}

/** The problem that an answer tells of. */
export function problemOf(body: unknown, status: number): Problem {
  if (isEnvelope(body)) return new Problem(body.description, String(body.more['code']), body.more);
  return new Problem(`The service answered ${String(status)}.`, 'server.fault');
}

function isEnvelope(body: unknown): body is Envelope {
  const { description, more } = (body ?? {}) as Partial<Envelope>;
  return typeof description === 'string' && typeof more === 'object';
}
