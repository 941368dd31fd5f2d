import { isRole, roles, type Role } from '@rdc/auth';
import type { Account } from '../identity-provider/identity-provider.js';

/** The claims of an issuer about a person. */
export type Claims = Readonly<Record<string, unknown>>;

/** Returns the account of a person. A person who can sign in at the provider has an enabled account. */
export function accountOf(subject: string, claims: Claims): Account {
  return {
    subject,
    email: textOf(claims['email']),
    firstName: textOf(claims['given_name']),
    lastName: textOf(claims['family_name']),
    verified: claims['email_verified'] === true,
    enabled: true,
  };
}

/**
 * Returns the roles that a claim names, as a list or as words in one text. The claim is a member with the whole name, or
 * else a path (`realm_access.roles`). A missing claim names no role.
 */
export function rolesOf(claims: Claims, claim: string): Role[] {
  const value = claims[claim] ?? claim.split('.').reduce<unknown>(memberOf, claims);
  const words: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[\s,]+/) : [];
  const named = new Set(words.filter(isRole));
  return roles.filter((role) => named.has(role));
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Claims)[name]
    : undefined;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
