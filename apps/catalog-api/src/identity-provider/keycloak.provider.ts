import { IdentityProvider, type Account } from './identity-provider.js';
import { askProvider, unusableAnswer } from './provider-client.js';

/** Accounts asked for at once. Keycloak gives 100 when it is not told. */
const pageSize = 500;

/** A token is renewed this long before it ends. */
const renewalMarginMs = 10_000;

/** The part of Keycloak's user representation that makes an account. */
interface KeycloakUser {
  readonly id: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly emailVerified?: boolean;
  readonly enabled?: boolean;
}

interface Token {
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** Where a realm is, and the confidential client that may read its users (role `view-users`). */
export interface KeycloakRealm {
  readonly url: string;
  readonly realm: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Keycloak, through its admin API. */
export class KeycloakProvider extends IdentityProvider {
  readonly name = 'keycloak';
  private readonly base: string;
  private token: { readonly value: string; readonly endsAt: number } | null = null;

  constructor(private readonly realm: KeycloakRealm) {
    super();
    this.base = realm.url.replace(/\/+$/, '');
  }

  async *listAccounts(): AsyncGenerator<readonly Account[]> {
    for (let first = 0; ; first += pageSize) {
      const query = new URLSearchParams({ first: String(first), max: String(pageSize), briefRepresentation: 'true' });
      const url = this.adminUrl(`users?${query.toString()}`);
      const { status, body } = await this.get(url);
      if (status !== 200 || !Array.isArray(body)) throw unusableAnswer(url, `answered ${String(status)}`);
      if (body.length > 0) yield (body as KeycloakUser[]).map(toAccount);
      if (body.length < pageSize) return;
    }
  }

  async findAccount(subject: string, signal?: AbortSignal): Promise<Account | null> {
    const url = this.adminUrl(`users/${encodeURIComponent(subject)}`);
    const { status, body } = await this.get(url, signal);
    if (status === 404) return null;
    if (status !== 200) throw unusableAnswer(url, `answered ${String(status)}`);
    const account = toAccount(body as KeycloakUser);
    return account.subject === subject ? account : null;
  }

  private adminUrl(path: string): URL {
    return new URL(`${this.base}/admin/realms/${encodeURIComponent(this.realm.realm)}/${path}`);
  }

  private async get(url: URL, signal?: AbortSignal): Promise<{ status: number; body: unknown }> {
    const ask = async (): Promise<{ status: number; body: unknown }> =>
      askProvider(url, { headers: { Authorization: `Bearer ${await this.currentToken(signal)}` } }, signal);
    const answer = await ask();
    if (answer.status !== 401) return answer;
    this.token = null;
    return ask();
  }

  private async currentToken(signal?: AbortSignal): Promise<string> {
    if (this.token && this.token.endsAt > Date.now()) return this.token.value;
    const url = new URL(`${this.base}/realms/${encodeURIComponent(this.realm.realm)}/protocol/openid-connect/token`);
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: this.realm.clientId,
      client_secret: this.realm.clientSecret,
    });
    const { status, body } = await askProvider(url, { method: 'POST', body: form }, signal);
    if (status !== 200) throw unusableAnswer(url, `refused our client with ${String(status)}`);
    const { access_token: value, expires_in: seconds } = body as Token;
    this.token = { value, endsAt: Date.now() + seconds * 1000 - renewalMarginMs };
    return value;
  }
}

function toAccount({ id, email, firstName, lastName, emailVerified, enabled }: KeycloakUser): Account {
  return {
    subject: id,
    email: email ?? null,
    firstName: firstName ?? null,
    lastName: lastName ?? null,
    verified: emailVerified === true,
    enabled: enabled !== false,
  };
}
