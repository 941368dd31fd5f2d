import { membersOf } from '../../platform/json/json.js';
import { ClientCredentials } from './client-credentials.js';
import { IdentityProvider, type Account } from './identity-provider.js';
import {
  requestProvider,
  deadlineOf,
  isInvalidSegment,
  textOrNull,
  unusableResponse,
  defaultLimits,
  type ProviderResponse,
  type ProviderLimits,
} from './provider-client.js';

/** The address of a realm, and a confidential client that may read its users (role `view-users`). */
export interface KeycloakRealm {
  readonly url: string;
  readonly realm: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Keycloak, through its admin API. */
export class KeycloakProvider extends IdentityProvider {
  readonly name = 'keycloak';
  private readonly users: URL;
  private readonly credentials: ClientCredentials;

  constructor(
    { url, realm, clientId, clientSecret }: KeycloakRealm,
    private readonly limits: ProviderLimits = defaultLimits,
  ) {
    super();
    const base = url.replace(/\/+$/, '');
    const name = encodeURIComponent(realm);
    this.users = new URL(`${base}/admin/realms/${name}/users`);
    const tokenUrl = new URL(`${base}/realms/${name}/protocol/openid-connect/token`);
    this.credentials = new ClientCredentials({ tokenUrl, clientId, clientSecret }, limits);
  }

  async *listAccounts(): AsyncGenerator<readonly Account[]> {
    const { pageSize } = this.limits;
    for (let first = 0; ; first += pageSize) {
      const url = new URL(this.users);
      url.search = new URLSearchParams({
        first: String(first),
        max: String(pageSize),
        briefRepresentation: 'true',
      }).toString();
      const { status, body } = await this.get(url);
      if (status !== 200 || !Array.isArray(body)) throw unusableResponse(url, `returned the status ${String(status)}`);
      if (body.length > 0) yield body.map(toAccount);
      if (body.length < pageSize) return;
    }
  }

  async findAccount(subject: string, signal?: AbortSignal): Promise<Account | null> {
    if (isInvalidSegment(subject)) return null;
    const url = new URL(`${this.users.href}/${encodeURIComponent(subject)}`);
    const { status, body } = await this.get(url, signal);
    if (status === 404) return null;
    if (status !== 200) throw unusableResponse(url, `returned the status ${String(status)}`);
    const account = toAccount(body);
    return account.subject === subject ? account : null;
  }

  /** Requests an address. If the token is refused, retries once with a new token, because the token may be revoked. */
  private async get(url: URL, signal?: AbortSignal): Promise<ProviderResponse> {
    const deadline = deadlineOf(this.limits, signal);
    const request = (token: string): Promise<ProviderResponse> =>
      requestProvider(url, { headers: { Authorization: `Bearer ${token}` } }, deadline);
    const token = await this.credentials.token(deadline);
    const answer = await request(token);
    if (answer.status !== 401) return answer;
    this.credentials.invalidate(token);
    return request(await this.credentials.token(deadline));
  }
}

/** Reads Keycloak's representation of a user. */
function toAccount(user: unknown): Account {
  const { id, email, firstName, lastName, emailVerified, enabled } = membersOf(user);
  return {
    subject: textOrNull(id) ?? '',
    email: textOrNull(email),
    firstName: textOrNull(firstName),
    lastName: textOrNull(lastName),
    verified: emailVerified === true,
    enabled: enabled !== false,
  };
}
