import { Module } from '@nestjs/common';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { IdentityProviderSettings } from '../identity-provider/identity-provider.settings.js';
import { AccountLookup } from './account-lookup.js';
import { AccountLookupSweep } from './account-lookup.sweep.js';
import { AccountSyncMetrics } from './account-sync.metrics.js';
import { AccountSyncSchedule } from './account-sync.schedule.js';
import { AccountSyncService } from './account-sync.service.js';
import { AccountsRepository } from './accounts.repository.js';
import { IdentityProvider } from '../identity-provider/identity-provider.js';
import { IdentitySyncController } from './identity-sync.controller.js';
import { IdentitySyncService } from './identity-sync.service.js';
import { IdpController } from './idp.controller.js';
import { KeycloakProvider } from '../identity-provider/keycloak.provider.js';
import { NoIdentityProvider } from '../identity-provider/no.provider.js';
import { ScimProvider } from '../identity-provider/scim.provider.js';
import { SingleFlight } from './single-flight.js';

/** The identity provider and the synchronisation of its accounts. */
@Module({
  imports: [DocumentsModule],
  controllers: [IdpController, IdentitySyncController],
  providers: [
    { provide: IdentityProvider, inject: [IdentityProviderSettings], useFactory: identityProviderOf },
    AccountLookup,
    AccountLookupSweep,
    AccountsRepository,
    AccountSyncMetrics,
    AccountSyncSchedule,
    AccountSyncService,
    IdentitySyncService,
    SingleFlight,
  ],
  exports: [IdentityProvider, AccountLookup, AccountsRepository],
})
export class IdentityProviderModule {}

/** Returns the provider that the settings name. The settings were validated at start. */
function identityProviderOf(settings: IdentityProviderSettings): IdentityProvider {
  switch (settings.IDP_PROVIDER) {
    case 'none':
      return new NoIdentityProvider();
    case 'scim':
      return new ScimProvider(settings.SCIM_URL ?? '', settings.SCIM_TOKEN ?? '');
    case 'keycloak':
      return new KeycloakProvider({
        url: settings.IDP_URL ?? '',
        realm: settings.IDP_REALM ?? '',
        clientId: settings.IDP_CLIENT_ID ?? '',
        clientSecret: settings.IDP_CLIENT_SECRET ?? '',
      });
  }
}
