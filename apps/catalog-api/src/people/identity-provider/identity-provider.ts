import type { ProviderName } from './identity-provider.settings.js';

/** A person's account at the identity provider. */
export interface Account {
  /** The identifier of the account, which is the subject of the user. */
  readonly subject: string;
  readonly email: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** Whether the provider has verified the e-mail address. */
  readonly verified: boolean;
  readonly enabled: boolean;
}

/**
 * The provider of people's accounts. Accounts are only read.
 *
 * Both methods may be called any number of times and concurrently. If the provider does not answer, or the answer is
 * unusable, they throw DependencyDownError. An outage is never reported as a missing account.
 */
export abstract class IdentityProvider {
  abstract readonly name: ProviderName;

  /**
   * Lists all accounts in pages and holds at most one page. Accounts that are added or removed during the listing may be
   * omitted or repeated.
   *
   * @throws IdentityProviderOffError if no provider is configured
   */
  abstract listAccounts(): AsyncIterable<readonly Account[]>;

  /**
   * Returns the account with an identifier; null if there is none.
   *
   * @param signal aborts the request early
   * @throws IdentityProviderOffError if no provider is configured
   */
  abstract findAccount(subject: string, signal?: AbortSignal): Promise<Account | null>;
}
