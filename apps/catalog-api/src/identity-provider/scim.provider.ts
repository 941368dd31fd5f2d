import { IdentityProvider, type Account } from './identity-provider.js';
import { askProvider, unusableAnswer } from './provider-client.js';

/** Accounts asked for at once; the provider may give fewer. */
const pageSize = 200;

/** The part of a SCIM user (RFC 7643, section 4.1) that makes an account. */
interface ScimUser {
  readonly id?: string;
  readonly active?: boolean;
  readonly name?: { readonly givenName?: string; readonly familyName?: string };
  readonly emails?: readonly { readonly value?: string; readonly primary?: boolean }[];
}

/** A list answer (RFC 7644, section 3.4.2). */
interface ScimPage {
  readonly totalResults?: number;
  readonly Resources?: readonly ScimUser[];
}

/**
 * A SCIM 2.0 service (RFC 7644). SCIM does not know unverified addresses: what it serves was provisioned, so every
 * account with an address counts as verified.
 */
export class ScimProvider extends IdentityProvider {
  readonly name = 'scim';
  private readonly base: URL;

  /** @param url base address, to which `/Users` is added */
  constructor(
    url: string,
    private readonly token: string,
  ) {
    super();
    this.base = new URL(url.endsWith('/') ? url : `${url}/`);
  }

  async *listAccounts(): AsyncGenerator<readonly Account[]> {
    let next = 1;
    for (let total = Infinity; next <= total;) {
      const url = new URL('Users', this.base);
      url.searchParams.set('startIndex', String(next));
      url.searchParams.set('count', String(pageSize));
      const { status, body } = await askProvider(url, this.request());
      if (status !== 200) throw unusableAnswer(url, `answered ${String(status)}`);
      const { totalResults, Resources: users = [] } = body as ScimPage;
      if (typeof totalResults !== 'number' || !Array.isArray(users)) throw unusableAnswer(url, 'is no list of SCIM');
      if (users.length === 0) return;
      yield users.map(toAccount);
      next += users.length;
      total = totalResults;
    }
  }

  async findAccount(subject: string, signal?: AbortSignal): Promise<Account | null> {
    const url = new URL(`Users/${encodeURIComponent(subject)}`, this.base);
    const { status, body } = await askProvider(url, this.request(), signal);
    if (status === 404) return null;
    if (status !== 200) throw unusableAnswer(url, `answered ${String(status)}`);
    const account = toAccount(body as ScimUser);
    return account.subject === subject ? account : null;
  }

  private request(): RequestInit {
    return { headers: { Authorization: `Bearer ${this.token}`, Accept: 'application/scim+json' } };
  }
}

function toAccount({ id, active, name, emails = [] }: ScimUser): Account {
  const email = (emails.find(({ primary }) => primary) ?? emails[0])?.value ?? null;
  return {
    subject: id ?? '',
    email,
    firstName: name?.givenName ?? null,
    lastName: name?.familyName ?? null,
    verified: true,
    enabled: active !== false,
  };
}
