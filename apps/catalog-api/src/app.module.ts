import { AccessExpiryModule } from './accesses/access-expiry.module.js';
import { AccessRequestModule } from './accessreq/accessreq.module.js';
import { IdentityProviderModule } from './identity-provider/identity-provider.module.js';
import { Module, type DynamicModule } from '@nestjs/common';
import { FairModule } from './fair/fair.module.js';
import { HealthModule, MetricsModule } from '@rdc/http';
import { SettingsModule, type Environment } from '@rdc/settings';
import { BulkModule } from './bulk/bulk.module.js';
import { CohortsModule } from './cohorts/cohorts.module.js';
import { ContractsModule } from './contracts/contracts.module.js';
import { AdministrationModule } from './administration/administration.module.js';
import { DatabaseModule } from './database/database.module.js';
import { MigrationsProbe } from './database/migrations.probe.js';
import { PostgresProbe } from './database/postgres.probe.js';
import { DatasetsModule } from './datasets/datasets.module.js';
import { DocumentsModule } from './documents/documents.module.js';
import { ExposuresModule } from './exposures/exposures.module.js';
import { IntrospectionModule } from './introspection/introspection.module.js';
import { KeysModule } from './keys/keys.module.js';
import { OidcLoginModule } from './oidc-login/oidc-login.module.js';
import { OwnAccountModule } from './own-account/own-account.module.js';
import { PasswordLinksModule } from './password-links/password-links.module.js';
import { PartnersModule } from './partners/partners.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { PermissionsModule } from './permissions/permissions.module.js';
import { SessionListsModule } from './session-lists/session-lists.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { SchemasModule } from './schemas/schemas.module.js';
import { CatalogSettings } from './settings.js';
import { TermsModule } from './terms/terms.module.js';
import { UsersModule } from './users/users.module.js';
import { version } from './version.js';

/** The catalog as an HTTP service. */
@Module({})
export class AppModule {
  /** @param environment where the settings are read from */
  static forEnvironment(environment: Environment): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(CatalogSettings, environment),
        MetricsModule.forRoot({ service: 'catalog-api', version }),
        DatabaseModule,
        KeysModule,
        SessionsModule,
        SessionListsModule,
        OwnAccountModule,
        PasswordLinksModule,
        OidcLoginModule,
        TermsModule,
        AccessRequestModule,
        AccessExpiryModule,
        IdentityProviderModule,
        UsersModule,
        PermissionsModule,
        DocumentsModule,
        ProjectsModule,
        DatasetsModule,
        ContractsModule,
        PartnersModule,
        CohortsModule,
        AdministrationModule,
        ExposuresModule,
        BulkModule,
        IntrospectionModule,
        SchemasModule,
        FairModule,
        HealthModule.forRoot({ settings: CatalogSettings, probes: [PostgresProbe, MigrationsProbe] }),
      ],
    };
  }
}
