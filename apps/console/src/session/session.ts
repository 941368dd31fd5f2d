import { useSyncExternalStore } from 'react';
import { problemOf, Problem } from '../api/problem.ts';
import type { paths } from '../api/generated/catalog-api.ts';
import { servicesUrl } from '../place.ts';

/** The signed-in user, and the CSRF token of their writes. */
export type Session = paths['/api/session']['get']['responses'][200]['content']['application/json'];

/** The state of the session in this window. */
export type SessionState =
  | { readonly status: 'unknown' }
  /** `oidc`: the address for signing in at the identity provider, or null without a provider. */
  | { readonly status: 'signed-out'; readonly oidc: string | null }
  /** The session has ended, but the page still contains the work of its user. */
  | { readonly status: 'ended'; readonly oidc: string | null; readonly former: Session }
  | { readonly status: 'signed-in'; readonly session: Session };

const address = `${servicesUrl}/api/session`;

/** Codes of a sign-out whose session has already ended. */
const nobodyIsIn = ['key.required', 'session.required', 'session.ended'];

let state: SessionState = { status: 'unknown' };
let waiting: (() => void)[] = [];
const listeners = new Set<() => void>();

/** Returns the state of the session. The component is rendered again on every change. */
export function useSessionState(): SessionState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

/** Returns the token that proves that a write comes from the console, or undefined without a session. */
export const csrfToken = (): string | undefined => (state.status === 'signed-in' ? state.session.csrf : undefined);

/**
 * Reads the session, which also renews the short-lived token for the provisioner.
 *
 * @returns false if there is no session
 * @throws Problem if the service fails or is unreachable
 */
export async function renewSession(): Promise<boolean> {
  const answer = await ask('GET');
  if (answer.ok) {
    await enter((await answer.json()) as Session);
    return true;
  }
  const problem = problemOf(await answer.json().catch(() => null), answer.status);
  if (problem.code !== 'session.required') throw problem;
  const { oidc = null } = (problem.more['sign_in'] ?? {}) as { oidc?: string | null };
  const former = sessionOnPage();
  become(former ? { status: 'ended', oidc, former } : { status: 'signed-out', oidc });
  return false;
}

export interface Credentials {
  readonly login: string;
  readonly password: string;
  /** A code of the second factor, if the service has requested one. */
  readonly code?: string;
}

/**
 * Signs in with a password and repeats the requests that waited for a session.
 *
 * @throws Problem if the service refuses
 */
export async function signIn(credentials: Credentials): Promise<void> {
  const answer = await ask('POST', credentials);
  const body: unknown = await answer.json().catch(() => null);
  if (!answer.ok) throw problemOf(body, answer.status);
  await enter(body as Session);
}

/**
 * Starts or resumes a session. If the user is another person, reloads the page and never resolves, because the page and
 * the waiting requests belong to the previous user.
 */
async function enter(session: Session): Promise<void> {
  const former = sessionOnPage();
  if (former && former.user.id !== session.user.id) {
    location.reload();
    await new Promise(() => undefined);
  }
  become({ status: 'signed-in', session });
}

/** Returns the session to which the content of the page belongs. */
function sessionOnPage(): Session | undefined {
  if (state.status === 'signed-in') return state.session;
  return state.status === 'ended' ? state.former : undefined;
}

/** Signs out and reloads the page, also if the session has already ended. @throws Problem if the service fails */
export async function signOut(): Promise<void> {
  const answer = await ask('DELETE');
  if (!answer.ok) {
    const problem = problemOf(await answer.json().catch(() => null), answer.status);
    if (!nobodyIsIn.includes(problem.code)) throw problem;
  }
  location.reload();
}

/** Waits until a user is signed in. */
export function untilSignedIn(): Promise<void> {
  if (state.status === 'signed-in') return Promise.resolve();
  return new Promise((resolve) => waiting.push(resolve));
}

function become(next: SessionState): void {
  state = next;
  listeners.forEach((listener) => {
    listener();
  });
  if (next.status !== 'signed-in') return;
  const resumed = waiting;
  waiting = [];
  resumed.forEach((resume) => {
    resume();
  });
}

async function ask(method: string, body?: object): Promise<Response> {
  const token = csrfToken();
  try {
    return await fetch(address, {
      method,
      headers: { ...(token && { 'X-CSRF-Token': token }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw new Problem('The service cannot be reached. Check the connection and try again.', 'unreachable', { cause });
  }
}
