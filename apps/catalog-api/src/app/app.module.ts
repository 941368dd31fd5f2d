import { AccessExpiryModule } from '../access/accesses/access-expiry.module.js';
import { AccessRequestSettings } from '../access/accessreq/accessreq.settings.js';
import { ReadingRightsProbe } from '../access/accessreq/reading-rights.probe.js';
import { AccessRequestModule } from '../access/accessreq/accessreq.module.js';
import { IdentityProviderModule } from '../people/account-sync/identity-provider.module.js';
import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { FairModule } from '../records/linked-data/fair.module.js';
import { HealthModule, MetricsModule, type ReadinessProbe } from '@rdc/http';
import { SettingsModule, type Environment } from '@rdc/settings';
import { entities } from './entities.js';
import { recordSchemas } from '../records/definitions/record-schemas.js';
import { storedLists } from '../records/definitions/stored-lists.js';
import { StoredListsModule } from '../publishing/documents/stored-lists.module.js';
import { BulkModule } from './bulk/bulk.module.js';
import { ChangesModule } from './changes/changes.module.js';
import { EventsModule } from './events/events.module.js';
import { CohortsModule } from '../records/cohorts/cohorts.module.js';
import { ContractsModule } from '../records/contracts/contracts.module.js';
import { AdministrationModule } from './administration.module.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { MigrationsProbe } from '../platform/database/migrations.probe.js';
import { PostgresProbe } from '../platform/database/postgres.probe.js';
import { DatasetsModule } from '../records/datasets/datasets.module.js';
import { DocumentsModule } from '../publishing/documents/documents.module.js';
import { ExposuresModule } from '../access/exposures/exposures.module.js';
import { IntrospectionModule } from '../access/introspection/introspection.module.js';
import { KeysModule } from '../people/keys/keys.module.js';
import { OidcLoginModule } from '../people/oidc-login/oidc-login.module.js';
import { OwnAccountModule } from '../people/own-account/own-account.module.js';
import { PasswordLinksModule } from '../people/password-links/password-links.module.js';
import { PartnersModule } from '../records/partners/partners.module.js';
import { ProjectsModule } from '../records/projects/projects.module.js';
import { PermissionsModule } from '../access/permissions/permissions.module.js';
import { SessionListsModule } from '../people/session-lists/session-lists.module.js';
import { SessionsModule } from '../people/sessions/sessions.module.js';
import { SchemasModule } from '../publishing/schemas/schemas.module.js';
import { HttpSettings } from '../platform/settings/http.settings.js';
import { catalogSettings, settingsClasses } from './catalog.settings.js';
import { TermsModule } from '../records/terms/terms.module.js';
import { UsersModule } from '../people/users/users.module.js';
import { version } from './version.js';

/** The root module of the HTTP service. */
@Module({})
export class AppModule {
  /** @param environment the environment that contains the settings */
  static forEnvironment(environment: Environment): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(settingsClasses, environment),
        MetricsModule.forRoot({ service: 'catalog-api', version }),
        DatabaseModule.forRoot(entities),
        StoredListsModule.forRoot(storedLists),
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
        ChangesModule,
        EventsModule,
        IntrospectionModule,
        SchemasModule.forRoot(recordSchemas),
        FairModule,
        HealthModule.forRoot({ settings: HttpSettings, probes: probesOf(environment), imports: [AccessRequestModule] }),
      ],
    };
  }
}

/** Returns the probes of the dependencies that the settings name. */
function probesOf(environment: Environment): readonly Type<ReadinessProbe>[] {
  const { ACCESSREQ_URL } = catalogSettings(environment).get(AccessRequestSettings);
  return [PostgresProbe, MigrationsProbe, ...(ACCESSREQ_URL === undefined ? [] : [ReadingRightsProbe])];
}
