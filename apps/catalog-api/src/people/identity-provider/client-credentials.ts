import { DependencyDownError } from '@rdc/errors';
import { membersOf } from '../../platform/json/json.js';
import { requestProvider, deadlineOf, unusableResponse, type ProviderLimits } from './provider-client.js';

/** The time before the end of a token at which it is renewed. A short token is renewed after half of its lifetime. */
const renewalMarginMs = 10_000;

/** A confidential client of an authorization server. */
export interface OAuthClient {
  readonly tokenUrl: URL;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface AccessToken {
  readonly value: string;
  /** The time of the renewal by the clock of this process, in milliseconds. */
  readonly renewAt: number;
}

/** The access token of a client (RFC 6749, section 4.4), cached until shortly before its end. */
export class ClientCredentials {
  private cached: AccessToken | null = null;
  private pending: Promise<AccessToken> | null = null;

  constructor(
    private readonly client: OAuthClient,
    private readonly limits: ProviderLimits,
  ) {}

  /**
   * Returns a valid token. Concurrent callers share one request, and each caller aborts independently.
   *
   * @throws DependencyDownError if the server refuses the client or does not answer
   */
  async token(signal: AbortSignal): Promise<string> {
    if (this.cached && this.cached.renewAt > Date.now()) return this.cached.value;
    this.pending ??= this.requestToken().finally(() => (this.pending = null));
    const { value } = await waitFor(this.pending, signal);
    return value;
  }

  /** Removes a refused token from the cache, so that the next call requests a new token. */
  invalidate(refused: string): void {
    if (this.cached?.value === refused) this.cached = null;
  }

  private async requestToken(): Promise<AccessToken> {
    const { tokenUrl, clientId, clientSecret } = this.client;
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    const { status, body } = await requestProvider(tokenUrl, { method: 'POST', body: form }, deadlineOf(this.limits));
    if (status !== 200) throw unusableResponse(tokenUrl, `refused the client with the status ${String(status)}`);
    const { access_token: value, expires_in: seconds } = membersOf(body);
    if (typeof value !== 'string') throw unusableResponse(tokenUrl, 'returned no token');
    const lifeMs = typeof seconds === 'number' ? seconds * 1000 : 0;
    this.cached = { value, renewAt: Date.now() + Math.max(lifeMs - renewalMarginMs, lifeMs / 2) };
    return this.cached;
  }
}

/** Waits for a shared result until the signal aborts. */
function waitFor<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      reject(new DependencyDownError('identity provider', signal.reason));
    };
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    result.then(resolve, reject);
  });
}
