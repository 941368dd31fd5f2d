import { AppError } from '@rdc/errors';
import { IdentityProvider, type Account } from './identity-provider.js';

/** 400: no identity provider is configured. */
export class IdentityProviderOffError extends AppError {
  constructor() {
    super('idp.off', 'No identity provider is configured: set IDP_PROVIDER to scim or keycloak.', {
      details: { setting: 'IDP_PROVIDER' },
    });
  }
}

/** The provider that is used if no identity provider is configured. Every method fails. */
export class NoIdentityProvider extends IdentityProvider {
  readonly name = 'none';

  listAccounts(): AsyncIterable<readonly Account[]> {
    throw new IdentityProviderOffError();
  }

  findAccount(): Promise<Account | null> {
    return Promise.reject(new IdentityProviderOffError());
  }
}
