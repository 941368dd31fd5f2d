/**
 * The permissions that a service key can have. Each route names the required scope in `@CallableBy`. A route without a
 * scope refuses every service key. There is no scope for users, keys and service keys: only the global key and
 * administrators may manage them.
 */
export const scopes = [
  'records:read',
  'records:write',
  'records:publish',
  'storages:write',
  'imports:read',
  'imports:write',
  'imports:withdraw',
  'bulk',
  'terms:write',
  'permissions:read',
  'idp:sync',
  'audit:read',
  'introspection',
  'access:read',
] as const;

/** A permission of a service key. */
export type Scope = (typeof scopes)[number];

/** Scopes that no route requires yet: downloads do not exist. */
export const reservedScopes: readonly Scope[] = ['access:read'];

/** Returns whether a value is a scope. */
export function isScope(word: unknown): word is Scope {
  return scopes.some((scope) => scope === word);
}
