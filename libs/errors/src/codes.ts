/**
 * Every error code of the two services, with its HTTP status.
 *
 * A code is part of the contract: clients depend on it, so its meaning never changes. `docs/errors.md` describes each
 * code, and a test compares that page with this list.
 */
export const statusByCode = {
  'input.invalid': 400,
  'input.not_json': 400,
  'record.in_use': 400,
  'idp.off': 400,
  'accessreq.unknown_resource': 400,
  'key.required': 403,
  'key.unknown': 403,
  'access.denied': 403,
  'session.ended': 403,
  'session.required': 403,
  'introspection.off': 403,
  'csrf.refused': 403,
  'login.refused': 403,
  'login.second_factor': 403,
  'password_link.refused': 403,
  'accessreq.disabled': 403,
  'address.refused': 403,
  'route.unknown': 404,
  'record.unknown': 404,
  'method.not_allowed': 405,
  'response.not_acceptable': 406,
  'request.timeout': 408,
  'record.conflict': 409,
  'source.not_ready': 409,
  'source.changed_since_import': 409,
  'source.rejected': 409,
  'id.duplicate': 409,
  'id.invalid': 409,
  'import.state': 409,
  'dataset.withdrawn': 409,
  'cursor.gone': 410,
  'precondition.failed': 412,
  'input.too_large': 413,
  'input.media_type': 415,
  'rate.limited': 429,
  'input.headers_too_large': 431,
  'server.fault': 500,
  'method.unknown': 501,
  'dependency.down': 503,
  'settings.differ': 503,
  'accessreq.no_rights': 503,
  'version.unknown': 505,
  'storage.no_space': 507,
} as const satisfies Record<string, number>;

/** A stable name of one kind of failure, e.g. `record.unknown`. */
export type ErrorCode = keyof typeof statusByCode;

/** Returns the HTTP status of a code. */
export function statusOf(code: ErrorCode): number {
  return statusByCode[code];
}

const codeByClientStatus: Partial<Record<number, ErrorCode>> = {
  403: 'access.denied',
  404: 'route.unknown',
  405: 'method.not_allowed',
  409: 'record.conflict',
  412: 'precondition.failed',
  413: 'input.too_large',
  415: 'input.media_type',
  429: 'rate.limited',
};

/** Returns the general code for an HTTP status that a framework chose. */
export function codeOfStatus(status: number): ErrorCode {
  const known = codeByClientStatus[status];
  if (known) return known;
  if (status === 503) return 'dependency.down';
  return status >= 400 && status < 500 ? 'input.invalid' : 'server.fault';
}
