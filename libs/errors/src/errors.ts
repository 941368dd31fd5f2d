import { AppError } from './app-error.js';

/** A problem of one part of a request. */
export interface FieldProblem {
  /** The name of a parameter, or a path into the body such as `[2].end` or `contacts[0].email`. */
  readonly field: string;
  /** The problem as a phrase that follows the field's name: `must be a whole number from 1`. */
  readonly problem: string;
  /** The accepted values, if there are few. */
  readonly allowed?: readonly string[];
  /** The known name that is nearest to an unknown field. */
  readonly nearest?: string;
}

/** Maximum number of problems in `more.fields`. */
export const maxNamedProblems = 1000;

/** Maximum number of problems in the description. */
const maxDescribedProblems = 10;

/** 400: the request is not valid. The error reports all problems together. */
export class InvalidInputError extends AppError {
  /** @param count the number of all problems, if `problems` does not contain all of them */
  constructor(problems: readonly FieldProblem[], count = problems.length) {
    const described = problems.slice(0, maxDescribedProblems);
    const sentences = described.map(({ field, problem }) => (field ? `${field} ${problem}` : problem));
    if (count > described.length) sentences.push(`and ${String(count - described.length)} more`);
    const allowed = problems.find((each) => each.allowed)?.allowed;
    super('input.invalid', sentences.join('; '), {
      details: { fields: problems.slice(0, maxNamedProblems), ...(allowed && { allowed }) },
    });
  }
}

/** 400: the body is not JSON. */
export class NotJsonError extends AppError {
  constructor(message: string) {
    super('input.not_json', message);
  }
}

/** 415: the media type of the body is not supported. */
export class UnsupportedMediaTypeError extends AppError {
  /**
   * @param type the media type that the caller sent
   * @param allowed the supported media types
   */
  constructor(type: string, allowed: readonly string[]) {
    super('input.media_type', `The media type ${type} is not supported; send ${allowed.join(' or ')}.`, {
      details: { allowed },
    });
  }
}

/** 406: the caller accepts no media type in which the response exists. */
export class NotAcceptableError extends AppError {
  /** @param allowed the media types of the response */
  constructor(allowed: readonly string[]) {
    super('response.not_acceptable', `The response has no media type of \`Accept\`; accept ${allowed.join(' or ')}.`, {
      details: { allowed },
    });
  }
}

/** 403: the caller has no permission. The absence of a permission counts as a refusal. */
export class AccessDeniedError extends AppError {
  constructor(message: string) {
    super('access.denied', message);
  }
}

/** 403: the service key of the caller lacks the scope that the operation requires. */
export class MissingScopeError extends AppError {
  /** @param needed the scopes of which one is required; empty if no service key may call the operation */
  constructor(key: string, needed: readonly string[]) {
    const names = needed.join(' or ');
    const message =
      needed.length === 0
        ? `Service keys such as "${key}" may not call this operation; use the session of an administrator, or the global key.`
        : `The service key "${key}" lacks the scope ${names}; ask an administrator to add this scope.`;
    super('access.denied', message, { details: { scopes: needed } });
  }
}

/** 403: the service is not connected to the catalog, which stores sessions and service keys. */
export class IntrospectionOffError extends AppError {
  constructor() {
    super(
      'introspection.off',
      'Sessions and service keys are not accepted, because this service is not connected to the catalog; ' +
        'set CATALOG_URL and CATALOG_API_KEY, or send the global key.',
    );
  }
}

/** 403: the address requires a key, and the request has no key. */
export class KeyRequiredError extends AppError {
  constructor(message = 'This address requires a key; send the key in the header X-API-Key.') {
    super('key.required', message);
  }
}

/** 403: the key is not valid for this service. The key may be valid for another service. */
export class UnknownKeyError extends AppError {
  constructor() {
    super(
      'key.unknown',
      'The key is unknown to this service, has expired or was revoked; ask an administrator for a valid key.',
    );
  }
}

/** 403: the session has ended, or its token is older than five minutes and the catalog is unreachable. */
export class SessionEndedError extends AppError {
  constructor() {
    super(
      'session.ended',
      'The session has ended or must be renewed; call GET /api/session, and sign in again if that call is refused.',
    );
  }
}

/** 403: a write with a session lacks the proof that a page of the console sent the write. */
export class UnprovenWriteError extends AppError {
  constructor(message: string) {
    super('csrf.refused', message);
  }
}

/** 404: the record does not exist, or the caller may not read it. Both cases have the same response. */
export class UnknownRecordError extends AppError {
  constructor(kind: string, id: string) {
    super('record.unknown', `There is no ${kind} "${id}", or the caller may not read it.`, { details: { kind, id } });
  }
}

/** 404: the path has no resource. */
export class UnknownRouteError extends AppError {
  constructor(path: string) {
    super('route.unknown', `Nothing answers at ${path}.`);
  }
}

/** 405: the path has a resource that does not accept the method. */
export class MethodNotAllowedError extends AppError {
  constructor(method: string, allow: readonly string[]) {
    super('method.not_allowed', `${method} is not allowed here; use ${allow.join(' or ')}.`, {
      allow,
      details: { allowed: allow },
    });
  }
}

/** 400: the record cannot be removed, because other records refer to it. */
export class RecordInUseError extends AppError {
  /**
   * @param users the number of references, by kind: `{datasets: 2}`
   * @param advice the alternative, as a phrase
   */
  constructor(kind: string, id: string, users: Readonly<Record<string, number>>, advice?: string) {
    const words = Object.entries(users).map(([what, count]) => `${String(count)} ${what}`);
    const fact = `The ${kind} "${id}" cannot be removed while ${words.join(' and ')} refer to it`;
    super('record.in_use', advice === undefined ? `${fact}.` : `${fact}; ${advice}.`, { details: { kind, id, users } });
  }
}

/** 412: the record does not match the caller's `If-Match` or `If-None-Match`. */
export class PreconditionFailedError extends AppError {
  constructor(message: string) {
    super('precondition.failed', message);
  }
}

/** 429: too many failures of this caller. `Retry-After` states the waiting time. Successful calls are not counted. */
export class RateLimitedError extends AppError {
  /** @param failures the kind of failure, in the plural: `wrong keys` */
  constructor(failures: string, retryAfterSeconds: number) {
    super('rate.limited', `There were too many ${failures}; try again in ${String(retryAfterSeconds)} seconds.`, {
      retryAfterSeconds,
    });
  }
}

/** The predicate of "The database …" for each fault of a dependency. */
const faults = {
  silent: 'does not answer',
  disk_full: 'has a full disk',
  memory_full: 'has no memory left',
  read_only: 'is read-only',
  denied: 'refuses writes',
  disk_failing: 'cannot use its disk',
  starting: 'is starting or recovering',
  overdue: 'takes too long to answer',
} as const;

/** The fault of a dependency; the member `reason` of the envelope's `more`. */
export type DependencyFault = keyof typeof faults;

/** 503: a dependency of the service is not usable. Nothing was changed, and the same call may succeed later. */
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
