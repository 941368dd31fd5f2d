import { Global, Module, type DynamicModule } from '@nestjs/common';
import { SettingsModule, type Environment } from '@rdc/settings';
import { Registry } from 'prom-client';
import { DatasetsModule } from '../datasets/datasets.module.js';
import { ImportRequestsModule } from '../imports/import-requests.module.js';
import { InventoryModule } from '../inventory/inventory.module.js';
import { ImportAllModule } from '../schedule/import-all.module.js';
import { settingsClasses } from '../settings/provisioner.settings.js';
import { ScanModule } from '../scan/scan.module.js';
import { SourceModule } from '../source/source.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { SubmissionsService } from '../submissions/submissions.service.js';

/** A registry for the metrics of the services. The command line does not publish them. */
@Global()
@Module({ providers: [{ provide: Registry, useFactory: () => new Registry() }], exports: [Registry] })
class UnreadMetricsModule {}

/** The services of the HTTP interface, without controllers and background tasks. */
@Module({})
export class CliModule {
  /** @param environment the variables from which the settings are read */
  static forEnvironment(environment: Environment): DynamicModule {
    return {
      module: CliModule,
      imports: [
        SettingsModule.forRoot(settingsClasses, environment),
        UnreadMetricsModule,
        SourceModule,
        StorageModule,
        ScanModule,
        InventoryModule,
        DatasetsModule,
        ImportRequestsModule,
        ImportAllModule,
      ],
      providers: [SubmissionsService],
    };
  }
}
