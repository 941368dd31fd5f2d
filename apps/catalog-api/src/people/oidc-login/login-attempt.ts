import { isOwnPath } from './return-path.js';

/** The cookie with the attempt while the person signs in at the identity provider. */
export const attemptCookieName = 'catalog_login';

/** The lifetime of an attempt. */
export const attemptSeconds = 600;

/**
 * The secrets of a login, stored in a cookie. They prove that the answer of the identity provider came to the browser that
 * began the login.
 */
export interface LoginAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The path on this site to which the browser returns after the login. */
  readonly returnTo: string;
}

export function attemptToCookie(attempt: LoginAttempt): string {
  return Buffer.from(JSON.stringify(attempt)).toString('base64url');
}

/** Returns the attempt in a cookie; null if there is no cookie or its content is malformed. */
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
