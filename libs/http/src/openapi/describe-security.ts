import type { OpenAPIObject } from '@nestjs/swagger';
import type { CallerRule } from '@rdc/auth';
import type { statusByCode } from '@rdc/errors';
import type { CallerRules } from './caller-rules.js';
import { operationsOf, type PlacedOperation } from './operations.js';

type Requirement = Readonly<Record<string, string[]>>;

/** The security requirements of a caller with a key: in the header, or in the query. */
const byKey: readonly Requirement[] = [{ key: [] }, { 'key-in-query': [] }];

const noun: Readonly<Partial<Record<CallerRule, string>>> = {
  anonymous: 'callers without a key',
  global: 'the global key',
  user: 'personal keys',
  endpoint: 'keys of endpoints',
  session: 'sessions',
  service: 'service keys',
};

/**
 * Describes the accepted callers of each operation from the rules of the guard: the member `security`, the member
 * `x-callers` with the rules, and a sentence in the description. An operation that admits every caller keeps the
 * security that it declares: its service decides, for example by the session.
 */
export function describeSecurity(document: OpenAPIObject, rules: CallerRules): void {
  for (const placed of operationsOf(document)) {
    const { method, path, operation } = placed;
    const admitted = rules.get(`${method} ${path}`) ?? [];
    if (isOpen(admitted)) {
      operation.security ??= [];
      continue;
    }
    operation.security = securityOf(admitted, placed);
    Object.assign(operation, { 'x-callers': admitted });
    operation.description = [operation.description, sentenceOf(admitted)].filter(Boolean).join('\n\n');
  }
}

/** Returns the error codes with which the guard refuses callers of an operation. */
export function refusalsOf({ method, operation }: PlacedOperation): (keyof typeof statusByCode)[] {
  const { security = [] } = operation;
  const callers = (operation as { 'x-callers'?: readonly CallerRule[] })['x-callers'];
  if (!callers) return [];
  if (callers.includes('unknown')) return ['access.denied'];
  if (callers.includes('anonymous')) return ['key.unknown', 'access.denied'];
  const takesSessions = security.some((each) => 'session' in each);
  return [
    'key.required',
    'key.unknown',
    'access.denied',
    'session.ended',
    ...(takesSessions && method !== 'get' ? (['csrf.refused'] as const) : []),
  ];
}

/** Returns whether rules admit every caller. */
function isOpen(rules: readonly CallerRule[]): boolean {
  return rules.includes('anonymous') && rules.includes('service');
}

function securityOf(rules: readonly CallerRule[], { method }: PlacedOperation): Requirement[] {
  const takesKeys = rules.some((rule) => ['global', 'user', 'endpoint', 'service'].includes(rule) || isScope(rule));
  const takesSessions = rules.some((rule) => rule.split(':')[0] === 'session');
  const session: Requirement = method === 'get' ? { session: [] } : { session: [], csrf: [] };
  return [
    ...(rules.includes('anonymous') ? [{}] : []),
    ...(takesKeys ? byKey : []),
    ...(takesSessions ? [session] : []),
  ];
}

function isScope(rule: CallerRule): boolean {
  return rule.startsWith('scope:');
}

function sentenceOf(rules: readonly CallerRule[]): string {
  const roles = rules.filter((rule) => rule.startsWith('session:'));
  const scopes = rules.filter(isScope);
  const callers = [
    ...rules.flatMap((rule) => noun[rule] ?? []),
    ...(roles.length > 0 ? [`sessions with the role ${oneOf(roles)}`] : []),
    ...(scopes.length > 0 ? [`service keys with the scope ${oneOf(scopes)}`] : []),
  ];
  return `Accepted callers: ${callers.join('; ')}.`;
}

function oneOf(rules: readonly CallerRule[]): string {
  return rules.map((rule) => `\`${rule.slice(rule.indexOf(':') + 1)}\``).join(' or ');
}
