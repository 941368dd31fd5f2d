import type { Scope } from './scopes.js';

/** What a person may do beyond their own records (catalog interface, section 3). */
export const roles = ['admin', 'data_steward', 'auditor', 'legal'] as const;

/** One of the four roles a user can hold. */
export type Role = (typeof roles)[number];

/** Whether a word is one of our roles. */
export function isRole(word: unknown): word is Role {
  return roles.some((role) => role === word);
}

/** No key was sent. */
export interface AnonymousPrincipal {
  readonly kind: 'anonymous';
}

/** A key was sent that this service does not know. Never the same as none: where a key decides anything, it is refused. */
export interface UnknownPrincipal {
  readonly kind: 'unknown';
}

/** The holder of `GLOBAL_API_KEY`: reads and writes everything. */
export interface GlobalPrincipal {
  readonly kind: 'global';
}

/** The holder of a personal key: read-only, limited to what its user is allowed to see as protected. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: string;
  /** The user's identifier at the identity provider, when known. */
  readonly subject: string | null;
  readonly roles: readonly Role[];
}

/** A data catalog that reads what is exposed to it. */
export interface EndpointPrincipal {
  readonly kind: 'endpoint';
  readonly endpointId: string;
}

/** Somebody who has signed in: sees what their personal key would see, and writes what their roles allow. */
export interface SessionPrincipal {
  readonly kind: 'session';
  readonly userId: string;
  /** The user's identifier at the identity provider, when known. */
  readonly subject: string | null;
  readonly roles: readonly Role[];
  readonly sessionId: string;
}

/** A program that holds a service key: may do what the scopes of the key name, within the limits of the key. */
export interface ServicePrincipal {
  readonly kind: 'service';
  readonly keyId: string;
  /** The name of the key, unique for all time, by which the audit trail and imports name the program. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Prefixes of the submissions that `imports:*` extend to; null for all submissions. */
  readonly submissions: readonly string[] | null;
  /** Accessions of the projects that `records:*` extend to; null for all projects. */
  readonly projects: readonly string[] | null;
  /** The end of the key; null for none. */
  readonly expiresAt: Date | null;
}

/** Who made a request. An argument of every service method that reads or writes, never taken from the request inside. */
export type Principal =
  | AnonymousPrincipal
  | UnknownPrincipal
  | GlobalPrincipal
  | UserPrincipal
  | EndpointPrincipal
  | SessionPrincipal
  | ServicePrincipal;

/** The word for a kind of caller, as it stands in logs and access rules. */
export type PrincipalKind = Principal['kind'];

/** Whether a caller is a person, by key or signed in, holding one of the given roles. */
export function hasRole(caller: Principal, ...wanted: readonly Role[]): boolean {
  return (caller.kind === 'user' || caller.kind === 'session') && wanted.some((role) => caller.roles.includes(role));
}

/** Whether a caller is a program whose service key holds one of the given scopes. */
export function hasScope(caller: Principal, ...wanted: readonly Scope[]): caller is ServicePrincipal {
  return caller.kind === 'service' && wanted.some((scope) => caller.scopes.includes(scope));
}

/** Whether a caller is a program whose service key extends to some projects only. */
export function isLimitedToProjects(
  caller: Principal,
): caller is ServicePrincipal & { readonly projects: readonly string[] } {
  return caller.kind === 'service' && caller.projects !== null;
}

/** Whether a caller is a program whose service key extends to some submissions only. */
export function isLimitedToSubmissions(
  caller: Principal,
): caller is ServicePrincipal & { readonly submissions: readonly string[] } {
  return caller.kind === 'service' && caller.submissions !== null;
}
