import type { Scope } from '@rdc/auth';
import { InvalidInputError, type FieldProblem } from '@rdc/errors';

/** The form of a service key's name, which the audit trail and records of imports contain. */
export const serviceKeyName = /^[a-z][a-z0-9._-]{0,63}$/;

/** The scopes of a service key and their limits. */
export interface ServiceKeyRights {
  readonly scopes: readonly Scope[];
  /** Prefixes of submissions; null for all submissions. */
  readonly submissions: readonly string[] | null;
  /** Accessions of projects; null for all projects. */
  readonly projects: readonly string[] | null;
}

/** The scopes that each kind of limit narrows. No limit narrows the other scopes. */
const limitable = {
  submissions: ['imports:read', 'imports:write', 'imports:withdraw'],
  projects: ['records:read', 'records:write'],
} as const satisfies Record<string, readonly Scope[]>;

/**
 * Refuses rights that are wider than they seem. A limited key may have only scopes that limits narrow, and a limit needs
 * a scope that it narrows.
 *
 * @throws InvalidInputError if a limit and the scopes contradict each other
 */
export function checkRights({ scopes, ...limits }: ServiceKeyRights): void {
  const problems: FieldProblem[] = [];
  for (const field of ['submissions', 'projects'] as const) {
    if (limits[field] === null || scopes.some((scope) => isIn(limitable[field], scope))) continue;
    problems.push({
      field,
      problem: `must be null unless the key has one of the scopes ${limitable[field].join(', ')}`,
    });
  }
  const isLimited = limits.submissions !== null || limits.projects !== null;
  const all = [...limitable.submissions, ...limitable.projects];
  const unlimited = isLimited ? scopes.filter((scope) => !isIn(all, scope)) : [];
  if (unlimited.length > 0) {
    const problem = `must contain only scopes that the limits narrow; create another key for ${unlimited.join(', ')}`;
    problems.push({ field: 'scopes', problem });
  }
  if (problems.length > 0) throw new InvalidInputError(problems);
}

function isIn(words: readonly Scope[], scope: Scope): boolean {
  return words.includes(scope);
}
