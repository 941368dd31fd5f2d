import { membersOf } from '../../platform/json/json.js';
import { IdentityProvider, type Account } from './identity-provider.js';
import {
  requestProvider,
  deadlineOf,
  isInvalidSegment,
  textOrNull,
  unusableResponse,
  defaultLimits,
  type ProviderLimits,
} from './provider-client.js';

/**
 * A SCIM 2.0 service (RFC 7644). SCIM has no unverified addresses, so every account with an address counts as verified.
 */
export class ScimProvider extends IdentityProvider {
  readonly name = 'scim';
  private readonly base: URL;

  /** @param url the base address, to which `/Users` is added */
  constructor(
    url: string,
    private readonly token: string,
    private readonly limits: ProviderLimits = defaultLimits,
  ) {
    super();
    this.base = new URL(url.endsWith('/') ? url : `${url}/`);
  }

  async *listAccounts(): AsyncGenerator<readonly Account[]> {
    let next = 1;
    for (let total = Infinity; next <= total;) {
      const url = new URL('Users', this.base);
      url.searchParams.set('startIndex', String(next));
      url.searchParams.set('count', String(this.limits.pageSize));
      const { status, body } = await requestProvider(url, this.request(), deadlineOf(this.limits));
      if (status !== 200) throw unusableResponse(url, `returned the status ${String(status)}`);
      const { totalResults, Resources: users = [] } = membersOf(body); // RFC 7644, section 3.4.2
      if (typeof totalResults !== 'number' || !Array.isArray(users))
        throw unusableResponse(url, 'returned no SCIM list');
      if (users.length === 0) return;
      yield users.map(toAccount);
      next += users.length;
      total = totalResults;
    }
  }

  async findAccount(subject: string, signal?: AbortSignal): Promise<Account | null> {
    if (isInvalidSegment(subject)) return null;
    const url = new URL(`Users/${encodeURIComponent(subject)}`, this.base);
    const { status, body } = await requestProvider(url, this.request(), deadlineOf(this.limits, signal));
    if (status === 404) return null;
    if (status !== 200) throw unusableResponse(url, `returned the status ${String(status)}`);
    const account = toAccount(body);
    return account.subject === subject ? account : null;
  }

  private request(): RequestInit {
    return { headers: { Authorization: `Bearer ${this.token}`, Accept: 'application/scim+json' } };
  }
}

/** Reads a user of SCIM (RFC 7643, section 4.1). */
function toAccount(user: unknown): Account {
  const { id, active, name, emails } = membersOf(user);
  const addresses = Array.isArray(emails) ? emails.map(membersOf) : [];
  const { givenName, familyName } = membersOf(name);
  return {
    subject: textOrNull(id) ?? '',
    email: textOrNull((addresses.find(({ primary }) => primary === true) ?? addresses[0])?.['value']),
    firstName: textOrNull(givenName),
    lastName: textOrNull(familyName),
    verified: true,
    enabled: active !== false,
  };
}
