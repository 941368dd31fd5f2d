import { DependencyDownError } from '@rdc/errors';

/** How an identity provider is asked. */
export interface ProviderLimits {
  /** Accounts asked for at once; the provider may give fewer. */
  readonly pageSize: number;
  /** Milliseconds after which a provider that has not answered counts as down. */
  readonly answerTimeoutMs: number;
}

/** Limits that suit a real provider. */
export const defaultLimits: ProviderLimits = { pageSize: 500, answerTimeoutMs: 15_000 };

/** The status of an answer, whatever it is, and its body: parsed when it is a success, else null. */
export interface ProviderResponse {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Asks an identity provider over HTTP. Redirects are not followed: they would carry our credentials elsewhere.
 *
 * @param signal gives up, when it comes to that
 * @throws DependencyDownError when it cannot be reached, takes too long, or does not answer in JSON
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

/** Aborts after the time a provider has for an answer, or when the caller gives up earlier. */
export function deadlineOf({ answerTimeoutMs }: ProviderLimits, signal?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(answerTimeoutMs);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

/** Whether text is no segment of a path, so that asking for it would ask for something else. */
export function isInvalidSegment(text: string): boolean {
  return ['', '.', '..'].includes(text);
}

/** The failure of a provider that answers, but not as it should. */
export function unusableResponse(url: URL, what: string): DependencyDownError {
  return new DependencyDownError('identity provider', new Error(`${url.pathname}: ${what}`));
}

/** Text as it is; null for anything else, so that one malformed account does no harm to the others. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
