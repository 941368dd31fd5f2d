import { DependencyDownError } from '@rdc/errors';
import { membersOf } from '../../platform/json/json.js';
import { askProvider, giveUpAfter, unusableAnswer, type ProviderLimits } from './provider-client.js';

/** A token is renewed this long before it ends, or at half its life when that is shorter. */
const renewalMarginMs = 10_000;

/** A confidential client of an authorization server. */
export interface OAuthClient {
  readonly tokenUrl: URL;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface AccessToken {
  readonly value: string;
  /** By the clock of this process, in milliseconds. */
  readonly renewAt: number;
}

/** The access token of a client (RFC 6749, section 4.4): asked for once, and used until it is about to end. */
export class ClientCredentials {
  private known: AccessToken | null = null;
  private asked: Promise<AccessToken> | null = null;

  constructor(
    private readonly client: OAuthClient,
    private readonly limits: ProviderLimits,
  ) {}

  /**
   * A token that is good for now. Callers who come while one is asked for share it, and each gives up on its own.
   *
   * @throws DependencyDownError when the server refuses our client or does not answer
   */
  async token(signal: AbortSignal): Promise<string> {
    if (this.known && this.known.renewAt > Date.now()) return this.known.value;
    this.asked ??= this.ask().finally(() => (this.asked = null));
    const { value } = await waitFor(this.asked, signal);
    return value;
  }

  /** Says that a token was refused before its time, so that a new one is asked for. */
  forget(refused: string): void {
    if (this.known?.value === refused) this.known = null;
  }

  private async ask(): Promise<AccessToken> {
    const { tokenUrl, clientId, clientSecret } = this.client;
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    const { status, body } = await askProvider(tokenUrl, { method: 'POST', body: form }, giveUpAfter(this.limits));
    if (status !== 200) throw unusableAnswer(tokenUrl, `refused our client with ${String(status)}`);
    const { access_token: value, expires_in: seconds } = membersOf(body);
    if (typeof value !== 'string') throw unusableAnswer(tokenUrl, 'answered without a token');
    const lifeMs = typeof seconds === 'number' ? seconds * 1000 : 0;
    this.known = { value, renewAt: Date.now() + Math.max(lifeMs - renewalMarginMs, lifeMs / 2) };
    return this.known;
  }
}

/** Waits for what others wait for too, but no longer than the signal allows. */
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
