import { useSyncExternalStore } from 'react';
import { problemOf, Problem } from '../api/problem.ts';
import type { paths } from '../api/generated/catalog-api.ts';
import { servicesUrl } from '../place.ts';

/** Who is signed in, and what they send with each write. */
export type Session = paths['/api/session']['get']['responses'][200]['content']['application/json'];

/** What is known of the person in front of the screen. */
export type SessionState =
  | { readonly status: 'unknown' }
  /** `oidc`: where to go to sign in at the identity provider, when there is one. */
  | { readonly status: 'signed-out'; readonly oidc: string | null }
  /** They were signed in, and the page still holds their work. */
  | { readonly status: 'ended'; readonly oidc: string | null; readonly former: Session }
  | { readonly status: 'signed-in'; readonly session: Session };

const address = `${servicesUrl}/api/session`;

/** Codes with which a sign-out is answered that comes too late. */
const nobodyIsIn = ['key.required', 'session.required', 'session.ended'];

let state: SessionState = { status: 'unknown' };
let waiting: (() => void)[] = [];
const listeners = new Set<() => void>();

/** What is known now; the component is drawn again when it changes. */
export function useSessionState(): SessionState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

/** The token that proves a write to come from our own page; none without a session. */
export const csrfToken = (): string | undefined => (state.status === 'signed-in' ? state.session.csrf : undefined);

/**
 * Asks who is signed in, which also renews the short token that the provisioner believes.
 *
 * @returns false when nobody is
 * @throws Problem when the service cannot be asked
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

/** What a person signs in with. */
export interface Credentials {
  readonly login: string;
  readonly password: string;
  /** A code of the second factor, once the service has requested one. */
  readonly code?: string;
}

/** Signs in with a password; requests that waited for a session are sent again. @throws Problem */
export async function signIn(credentials: Credentials): Promise<void> {
  const answer = await ask('POST', credentials);
  const body: unknown = await answer.json().catch(() => null);
  if (!answer.ok) throw problemOf(body, answer.status);
  await enter(body as Session);
}

/** Begins, or goes on. Never resolves when it is another person: what is on the page is not theirs, nor is what waits. */
async function enter(session: Session): Promise<void> {
  const former = sessionOnPage();
  if (former && former.user.id !== session.user.id) {
    location.reload();
    await new Promise(() => undefined);
  }
  become({ status: 'signed-in', session });
}

/** Whose work the page holds. */
function sessionOnPage(): Session | undefined {
  if (state.status === 'signed-in') return state.session;
  return state.status === 'ended' ? state.former : undefined;
}

/** Signs out and begins anew, as does who has signed out in another window. @throws Problem */
export async function signOut(): Promise<void> {
  const answer = await ask('DELETE');
  if (!answer.ok) {
    const problem = problemOf(await answer.json().catch(() => null), answer.status);
    if (!nobodyIsIn.includes(problem.code)) throw problem;
  }
  location.reload();
}

/** Resolves once somebody is signed in. */
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
