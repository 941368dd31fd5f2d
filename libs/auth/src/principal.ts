import type { Scope } from './scopes.js';

/** The roles that a user can have. */
export const roles = ['admin', 'data_steward', 'auditor', 'legal'] as const;

/** A role of a user. */
export type Role = (typeof roles)[number];

/** Returns whether a value is a role. */
export function isRole(word: unknown): word is Role {
  return roles.some((role) => role === word);
}

/** A caller without a key. */
export interface AnonymousPrincipal {
  readonly kind: 'anonymous';
}

/** A caller with an unknown key, who is refused by every handler whose response depends on the caller. */
export interface UnknownPrincipal {
  readonly kind: 'unknown';
}

/** The holder of `GLOBAL_API_KEY`, who may read and write everything. */
export interface GlobalPrincipal {
  readonly kind: 'global';
}

/** The holder of a personal key, who may only read, and sees the protected records of the key's user. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: string;
  /** The user's identifier at the identity provider, when known. */
  readonly subject: string | null;
  readonly roles: readonly Role[];
}

/** Another data catalog, which may read the records that are exposed to it. */
export interface EndpointPrincipal {
  readonly kind: 'endpoint';
  readonly endpointId: string;
}

/**
 * A user with a session, who sees the same records as with a personal key, and may write as the user's roles permit.
 */
export interface SessionPrincipal {
  readonly kind: 'session';
  readonly userId: string;
  /** The user's identifier at the identity provider, when known. */
  readonly subject: string | null;
  readonly roles: readonly Role[];
  readonly sessionId: string;
}

/** A program with a service key, which may use the operations of the key's scopes within the limits of the key. */
export interface ServicePrincipal {
  readonly kind: 'service';
  readonly keyId: string;
  /** The name of the key in the audit trail and in imports. A name is never used for another key. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Prefixes of the submissions to which the scopes `imports:*` apply; null for all submissions. */
  readonly submissions: readonly string[] | null;
  /** Accessions of the projects to which the scopes `records:*` apply; null for all projects. */
  readonly projects: readonly string[] | null;
  /** The time at which the key expires; null if the key does not expire. */
  readonly expiresAt: Date | null;
}

/** The caller of a request. Every service method that reads or writes receives the caller as an argument. */
export type Principal =
  | AnonymousPrincipal
  | UnknownPrincipal
  | GlobalPrincipal
  | UserPrincipal
  | EndpointPrincipal
  | SessionPrincipal
  | ServicePrincipal;

/** The name of a kind of caller in logs and access rules. */
export type PrincipalKind = Principal['kind'];

/** Returns whether a caller is a user, by key or by session, with one of the given roles. */
export function hasRole(caller: Principal, ...wanted: readonly Role[]): boolean {
  return (caller.kind === 'user' || caller.kind === 'session') && wanted.some((role) => caller.roles.includes(role));
}

/** Returns whether a caller is a program whose service key has one of the given scopes. */
export function hasScope(caller: Principal, ...wanted: readonly Scope[]): caller is ServicePrincipal {
  return caller.kind === 'service' && wanted.some((scope) => caller.scopes.includes(scope));
}

/** Returns whether a caller is a program whose service key is limited to some projects. */
export function isLimitedToProjects(
  caller: Principal,
): caller is ServicePrincipal & { readonly projects: readonly string[] } {
  return caller.kind === 'service' && caller.projects !== null;
}

/** Returns whether a caller is a program whose service key is limited to some submissions. */
export function isLimitedToSubmissions(
  caller: Principal,
): caller is ServicePrincipal & { readonly submissions: readonly string[] } {
  return caller.kind === 'service' && caller.submissions !== null;
}
