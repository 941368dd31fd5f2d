import { DependencyDownError } from '@rdc/errors';

/** The limits of requests to an identity provider. */
export interface ProviderLimits {
  /** The number of accounts requested in one page. The provider may return fewer. */
  readonly pageSize: number;
  /** The time after which a provider without an answer counts as down. */
  readonly answerTimeoutMs: number;
}

/** The limits in production. */
export const defaultLimits: ProviderLimits = { pageSize: 500, answerTimeoutMs: 15_000 };

/** A response: the status, and the parsed body of a success (otherwise null). */
export interface ProviderResponse {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Sends a request to an identity provider. Redirects are not followed, because they would send the credentials elsewhere.
 *
 * @param signal aborts the request
 * @throws DependencyDownError if the provider is unreachable, does not answer in time, or does not return JSON
 */
export async function requestProvider(url: URL, request: RequestInit, signal: AbortSignal): Promise<ProviderResponse> {
  try {
    const response = await fetch(url, { ...request, redirect: 'error', signal });
    const text = await response.text();
    if (!response.ok) return { status: response.status, body: null };
    return { status: response.status, body: JSON.parse(text) as unknown };
  } catch (cause) {
    throw new DependencyDownError('identity provider', cause);
  }
}

/** Returns a signal that aborts after the provider's time for an answer, or when the caller aborts. */
export function deadlineOf({ answerTimeoutMs }: ProviderLimits, signal?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(answerTimeoutMs);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

/** Whether a text is not usable as a path segment, because the address would point to another resource. */
export function isInvalidSegment(text: string): boolean {
  return ['', '.', '..'].includes(text);
}

export function unusableResponse(url: URL, what: string): DependencyDownError {
  return new DependencyDownError('identity provider', new Error(`${url.pathname}: ${what}`));
}

/** Returns a text, or null for any other value, so that one malformed account does not affect other accounts. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
