import { DependencyDownError } from '@rdc/errors';

/** Longer than this the identity provider counts as down. */
const answerTimeoutMs = 15_000;

/**
 * Asks an identity provider over HTTP. Redirects are not followed: they would carry our credentials elsewhere.
 *
 * @returns the parsed answer and its status, whatever the status
 * @throws DependencyDownError when it cannot be reached, takes too long, or does not answer in JSON
 */
export async function askProvider(
  url: URL,
  request: RequestInit,
  signal?: AbortSignal,
): Promise<{ status: number; body: unknown }> {
  const timeout = AbortSignal.timeout(answerTimeoutMs);
  try {
    const response = await fetch(url, {
      ...request,
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await response.text();
    if (!response.ok) return { status: response.status, body: null };
    return { status: response.status, body: JSON.parse(text) as unknown };
  } catch (cause) {
    throw new DependencyDownError('identity provider', cause);
  }
}

/** The failure of a provider that answers, but not as it should. */
export function unusableAnswer(url: URL, what: string): DependencyDownError {
  return new DependencyDownError('identity provider', new Error(`${url.pathname}: ${what}`));
}
