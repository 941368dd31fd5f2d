import { AppError } from '@rdc/errors';
import { IdentityProvider, type Account } from './identity-provider.js';

/** 400: there is no identity provider to ask; the setting that names one is off. */
export class IdentityProviderOffError extends AppError {
  constructor() {
    super('idp.off', 'There is no identity provider to synchronise with: set IDP_PROVIDER to scim or keycloak.', {
      details: { setting: 'IDP_PROVIDER' },
    });
  }
}

/** Stands where no identity provider is configured: there is nobody to ask. */
export class NoIdentityProvider extends IdentityProvider {
  readonly name = 'none';

  listAccounts(): AsyncIterable<readonly Account[]> {
    throw new IdentityProviderOffError();
  }

  findAccount(): Promise<Account | null> {
    return Promise.reject(new IdentityProviderOffError());
  }
}
