import { isOwnPath } from './return-path.js';

/** The cookie that holds an attempt while the person is at the identity provider. */
export const attemptCookieName = 'catalog_login';

/** How long a person may take there. */
export const attemptSeconds = 600;

/**
 * What a browser that goes to sign in at the identity provider must bring back. It knows these itself; that it brings
 * them shows that the answer came to the browser that had asked.
 */
export interface LoginAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** Where it goes when it is signed in: a path of ours. */
  readonly returnTo: string;
}

export function attemptToCookie(attempt: LoginAttempt): string {
  return Buffer.from(JSON.stringify(attempt)).toString('base64url');
}

/** The attempt in a cookie; null when there is none, or one that we would not have made. */
export function attemptFromCookie(value: string | null, origin: string): LoginAttempt | null {
  try {
    const attempt = JSON.parse(Buffer.from(value ?? '', 'base64url').toString()) as Partial<LoginAttempt> | null;
    const { state, nonce, codeVerifier, returnTo } = attempt ?? {};
    const parts: unknown[] = [state, nonce, codeVerifier, returnTo];
    if (!parts.every((part) => typeof part === 'string' && part !== '')) return null;
    return isOwnPath(String(returnTo), origin) ? (attempt as LoginAttempt) : null;
  } catch {
    return null;
  }
}
