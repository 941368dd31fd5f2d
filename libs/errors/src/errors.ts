import { AppError } from './app-error.js';

/** One thing that is wrong with one part of a request. */
export interface FieldProblem {
  /** Where it is: a parameter's name, or a path into the body such as `[2].end` or `contacts[0].email`. */
  readonly field: string;
  /** What is wrong, as a sentence fragment that reads after the field's name: `must be a whole number from 1`. */
  readonly problem: string;
  /** The values that would have been accepted, when they are few. */
  readonly allowed?: readonly string[];
  /** The known name that the field is probably meant to be, where its name is not known. */
  readonly nearest?: string;
}

/** Problems that an answer names at most. */
export const maxNamedProblems = 1000;

/** Problems that the sentence for a person tells of; a program reads the others. */
const maxSaidProblems = 10;

/** 400: the request is not of the shape the address takes; every problem is reported at once. */
export class InvalidInputError extends AppError {
  /** @param count of all problems, where not all of them are given */
  constructor(problems: readonly FieldProblem[], count = problems.length) {
    const said = problems.slice(0, maxSaidProblems);
    const sentences = said.map(({ field, problem }) => (field ? `${field} ${problem}` : problem));
    if (count > said.length) sentences.push(`and ${String(count - said.length)} more`);
    const allowed = problems.find((each) => each.allowed)?.allowed;
    super('input.invalid', sentences.join('; '), {
      details: { fields: problems.slice(0, maxNamedProblems), ...(allowed && { allowed }) },
    });
  }
}

/** 400: a body is needed and what came is not JSON. */
export class NotJsonError extends AppError {
  constructor(message: string) {
    super('input.not_json', message);
  }
}

/** 415: the body is of a type that is not read as JSON. */
export class UnsupportedMediaTypeError extends AppError {
  /**
   * @param type of the body, as the caller named it
   * @param allowed types to send instead
   */
  constructor(type: string, allowed: readonly string[]) {
    super('input.media_type', `A body of the type ${type} is not read here; send ${allowed.join(' or ')}.`, {
      details: { allowed },
    });
  }
}

/** 403: this caller may not do that. Also what a missing permission answers: absence of a yes is a no. */
export class AccessDeniedError extends AppError {
  constructor(message: string) {
    super('access.denied', message);
  }
}

/** 403: the service key of the caller does not hold a scope that the operation needs. */
export class MissingScopeError extends AppError {
  /** @param needed the scopes of which one suffices; empty if no service key may do this */
  constructor(key: string, needed: readonly string[]) {
    const names = needed.join(' or ');
    const message =
      needed.length === 0
        ? `No service key may do this, so "${key}" may not: it is for administrators, by session or with the global key.`
        : `This needs the scope ${names}, which the service key "${key}" does not hold: ask an administrator to add it.`;
    super('access.denied', message, { details: { scopes: needed } });
  }
}

/** 403: this service cannot ask the catalog, which alone knows sessions and service keys. */
export class IntrospectionOffError extends AppError {
  constructor() {
    super(
      'introspection.off',
      'This service knows no sessions and no service keys, because it is not connected to the catalog: ' +
        'set CATALOG_URL and CATALOG_API_KEY, or send the global key.',
    );
  }
}

/** 403: the address needs a key and none came. */
export class KeyRequiredError extends AppError {
  constructor(message = 'This address needs a key: send it in the header X-API-Key.') {
    super('key.required', message);
  }
}

/** 403: a key came that this service does not know (or not any more); another service may. */
export class UnknownKeyError extends AppError {
  constructor() {
    super(
      'key.unknown',
      'The key is unknown to this service, has expired or was revoked; ask an administrator for one that it knows.',
    );
  }
}

/** 403: the session is over, or its token is older than five minutes where only the token can be asked. */
export class SessionEndedError extends AppError {
  constructor() {
    super(
      'session.ended',
      'The session is over or needs renewing: GET /api/session renews it, or says to sign in again.',
    );
  }
}

/** 403: a write came with a session but nothing shows that a page of ours made it. */
export class UnprovenWriteError extends AppError {
  constructor(message: string) {
    super('csrf.refused', message);
  }
}

/** 404: no such record, or none that this caller may see. The two are never told apart. */
export class UnknownRecordError extends AppError {
  constructor(kind: string, id: string) {
    super('record.unknown', `There is no ${kind} "${id}", or this key does not see it.`, { details: { kind, id } });
  }
}

/** 404: nothing answers at this path. */
export class UnknownRouteError extends AppError {
  constructor(path: string) {
    super('route.unknown', `Nothing answers at ${path}.`);
  }
}

/** 405: the path exists, for other methods. */
export class MethodNotAllowedError extends AppError {
  constructor(method: string, allow: readonly string[]) {
    super('method.not_allowed', `${method} is not allowed here; use ${allow.join(' or ')}.`, {
      allow,
      details: { allowed: allow },
    });
  }
}

/** 400: others refer to the record, so it cannot be removed. */
export class RecordInUseError extends AppError {
  /**
   * @param users what refers to it, and how often: `{datasets: 2}`
   * @param advice what to do instead, as a sentence fragment
   */
  constructor(kind: string, id: string, users: Readonly<Record<string, number>>, advice?: string) {
    const words = Object.entries(users).map(([what, count]) => `${String(count)} ${what}`);
    const fact = `The ${kind} "${id}" cannot be removed while ${words.join(' and ')} refer to it`;
    super('record.in_use', advice === undefined ? `${fact}.` : `${fact}; ${advice}.`, { details: { kind, id, users } });
  }
}

/** 412: the record is not what the caller's `If-Match` or `If-None-Match` says it must be. */
export class PreconditionFailedError extends AppError {
  constructor(message: string) {
    super('precondition.failed', message);
  }
}

/** 429: too many failures from this caller; `Retry-After` says when to come back. What succeeds is never counted. */
export class RateLimitedError extends AppError {
  /** @param failures what there were too many of, e.g. `wrong keys` */
  constructor(failures: string, retryAfterSeconds: number) {
    super('rate.limited', `There were too many ${failures}; try again in ${String(retryAfterSeconds)} seconds.`, {
      retryAfterSeconds,
    });
  }
}

/** Ends of the sentence "The database …" by the reason for which a dependency cannot be used. */
const faults = {
  silent: 'does not answer',
  disk_full: 'has no room left on its disk',
  memory_full: 'has no memory left',
  read_only: 'is read-only',
  denied: 'refuses to be written',
  disk_failing: 'cannot use its disk',
  starting: 'is starting or recovering',
  overdue: 'takes too long to answer',
} as const;

/** A reason for which a dependency cannot be used; the member `reason` of the answer's `more`. */
export type DependencyFault = keyof typeof faults;

/** 503: something this service needs cannot be used. Nothing was changed; the same call may succeed later. */
export class DependencyDownError extends AppError {
  constructor(dependency: string, cause?: unknown, retryAfterSeconds = 5, reason: DependencyFault = 'silent') {
    const again = `try again in ${String(retryAfterSeconds)} seconds.`;
    super('dependency.down', `The ${dependency} ${faults[reason]}; ${again}`, {
      cause,
      retryAfterSeconds,
      details: { dependency, reason },
    });
  }
}
