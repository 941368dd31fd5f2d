import { isRole, roles, type Role } from '@rdc/auth';
import type { Account } from '../identity-provider/identity-provider.js';

/** What an issuer says of a person. */
export type Claims = Readonly<Record<string, unknown>>;

/** The person as an account of the identity provider. Who can sign in there is enabled there. */
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
 * Those of our roles that a claim names, as a list or as words in one text. The claim is found under its whole name,
 * else as a path (`realm_access.roles`); one that is missing names none.
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
