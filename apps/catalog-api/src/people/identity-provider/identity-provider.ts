import type { ProviderName } from '../../platform/settings/provider-name.js';

/** An account of a person as the identity provider knows it. */
export interface Account {
  /** Its identifier there, which our users carry as their subject. */
  readonly subject: string;
  readonly email: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** Whether the provider vouches for the e-mail address. */
  readonly verified: boolean;
  readonly enabled: boolean;
}

/**
 * Where people's accounts are. Reading only: nothing is ever written there.
 *
 * Both methods may be called any number of times and at once. A provider that does not answer, or not sensibly, throws
 * DependencyDownError; that is never "no such account".
 */
export abstract class IdentityProvider {
  abstract readonly name: ProviderName;

  /**
   * Every account, a page at a time, without holding more than a page. Accounts that come or go meanwhile may be
   * missed or given twice.
   *
   * @throws IdentityProviderOffError when there is no provider
   */
  abstract listAccounts(): AsyncIterable<readonly Account[]>;

  /**
   * One account by its identifier; null when there is none.
   *
   * @param signal gives up early
   * @throws IdentityProviderOffError when there is no provider
   */
  abstract findAccount(subject: string, signal?: AbortSignal): Promise<Account | null>;
}
