import type { Scope } from '@rdc/auth';
import { InvalidInputError, type FieldProblem } from '@rdc/errors';

/** The form of a service key's name, which stands in the audit trail and in records of imports. */
export const serviceKeyName = /^[a-z][a-z0-9._-]{0,63}$/;

/** What a service key may do, and where. */
export interface ServiceKeyRights {
  readonly scopes: readonly Scope[];
  /** Prefixes of submissions; null for all. */
  readonly submissions: readonly string[] | null;
  /** Accessions of projects; null for all. */
  readonly projects: readonly string[] | null;
}

/** Scopes that each kind of limit narrows. Every other scope is as wide as the catalog. */
const limitable = {
  submissions: ['imports:read', 'imports:write', 'imports:withdraw'],
  projects: ['records:read', 'records:write'],
} as const satisfies Record<string, readonly Scope[]>;

/**
 * Refuses rights that would be wider than they look: a limited key holds only scopes that limits apply to, and a limit
 * stands only beside a scope that it narrows.
 *
 * @throws InvalidInputError
 */
export function checkRights({ scopes, ...limits }: ServiceKeyRights): void {
  const problems: FieldProblem[] = [];
  for (const field of ['submissions', 'projects'] as const) {
    if (limits[field] === null || scopes.some((scope) => isIn(limitable[field], scope))) continue;
    problems.push({ field, problem: `limits ${limitable[field].join(', ')} only, and the key holds none of these` });
  }
  const isLimited = limits.submissions !== null || limits.projects !== null;
  const all = [...limitable.submissions, ...limitable.projects];
  const unlimited = isLimited ? scopes.filter((scope) => !isIn(all, scope)) : [];
  if (unlimited.length > 0) {
    const problem = `names ${unlimited.join(', ')}, which no limit narrows: make another key for that`;
    problems.push({ field: 'scopes', problem });
  }
  if (problems.length > 0) throw new InvalidInputError(problems);
}

function isIn(words: readonly Scope[], scope: Scope): boolean {
  return words.includes(scope);
}
