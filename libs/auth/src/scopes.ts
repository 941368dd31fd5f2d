/**
 * Every permission that a service key can hold. Each route of both services names the scope that it needs beside
 * `@CallableBy`; a route that names none refuses every service key. Users, keys and service keys have no scope:
 * only the global key and administrators manage them.
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

/** One permission of a service key. */
export type Scope = (typeof scopes)[number];

/** Scopes that a key may hold although no route needs them yet: withdrawal is a command, and downloads do not exist. */
export const reservedScopes: readonly Scope[] = ['imports:withdraw', 'access:read'];

/** Whether a word is one of the scopes. */
export function isScope(word: unknown): word is Scope {
  return scopes.some((scope) => scope === word);
}
