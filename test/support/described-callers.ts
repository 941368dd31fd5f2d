import type { Operation, PlacedOperation } from './described-operations.ts';

/** A caller of a service, with credentials as the OpenAPI document names them. */
export interface Caller {
  readonly name: string;
  readonly scheme: 'none' | 'unknown key' | 'key' | 'session';
  /** The rules of `x-callers` that the caller meets, such as `global` or `session:admin`. */
  readonly rules: readonly string[];
  /** The subject of the caller, if the caller is a user. */
  readonly subject?: string;
  /** Sends a request with the credentials of the caller. */
  readonly send: (path: string, request: RequestInit) => Promise<Response>;
}

/** Returns whether a document admits a caller to an operation. */
function admits({ security = [], 'x-callers': callers }: Operation, { scheme, rules }: Caller): boolean {
  if (security.length === 0) return true;
  const isOpen = security.some((each) => Object.keys(each).length === 0);
  if (scheme === 'none') return isOpen;
  if (scheme === 'unknown key') return isOpen && callers?.includes('unknown') === true;
  if (!security.some((each) => scheme in each)) return false;
  return callers === undefined || rules.some((rule) => callers.includes(rule));
}

/** The codes of the errors with which a guard refuses a caller. */
const refusals: readonly unknown[] = [
  'key.required',
  'key.unknown',
  'access.denied',
  'session.ended',
  'session.required',
  'csrf.refused',
];

/**
 * Calls every operation as each caller. Returns the answers that contradict the document: callers that are refused or
 * admitted otherwise, and error codes that the document does not list.
 */
export async function contradictionsOf(
  operations: readonly PlacedOperation[],
  callers: readonly Caller[],
): Promise<string[]> {
  const found: string[] = [];
  for (const operation of operations) {
    for (const caller of callers) {
      const answer = await caller.send(addressOf(operation, caller), requestOf(operation));
      const { status } = answer;
      const code = await codeOf(answer);
      const place = `${caller.name}: ${operation.method} ${operation.path} ${String(status)} ${String(code)}`;
      const isAdmitted = !(status === 403 && refusals.includes(code));
      if (isAdmitted !== admits(operation, caller)) found.push(place);
      const codes = operation.responses[String(status)]?.['x-error-codes'];
      if (status >= 400 && !codes?.includes(String(code))) found.push(`${place} is not described`);
    }
  }
  return found;
}

/** Returns an address of an operation: of the caller's own permissions, or of records that do not exist. */
export function addressOf({ path }: PlacedOperation, { subject = '999999' }: Pick<Caller, 'subject'> = {}): string {
  return path
    .replace('{user_oidc_id}', subject)
    .replaceAll(/\{[^}]*\}/g, '999999')
    .replace(/^\/imports\/run$/, '/imports/run?dry_run=true');
}

/** Returns a request that changes nothing: if it has a body, the body is not valid. */
export function requestOf({ method }: PlacedOperation): RequestInit {
  return { method, redirect: 'manual', ...(method === 'GET' || method === 'DELETE' ? {} : { body: 'no JSON' }) };
}

/** Returns the error code of an answer. */
export async function codeOf(answer: Response): Promise<unknown> {
  const body = (await answer.json().catch(() => null)) as { more?: { code?: unknown } } | null;
  return body?.more?.code;
}
