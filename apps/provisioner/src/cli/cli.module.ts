import { Global, Module, type DynamicModule } from '@nestjs/common';
import { SettingsModule, type Environment } from '@rdc/settings';
import { Registry } from 'prom-client';
import { DatasetsService } from '../datasets/datasets.service.js';
import { ImportRequestsModule } from '../imports/import-requests.module.js';
import { InventoryModule } from '../inventory/inventory.module.js';
import { ImportAllModule } from '../schedule/import-all.module.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { ScanModule } from '../scan/scan.module.js';
import { SourceModule } from '../source/source.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { SubmissionsService } from '../submissions/submissions.service.js';

/** What the services count while a command runs; nobody asks for it. */
@Global()
@Module({ providers: [{ provide: Registry, useFactory: () => new Registry() }], exports: [Registry] })
class UnreadMetricsModule {}

/** The services behind the HTTP interface, without it and without anything that runs in the background. */
@Module({})
export class CliModule {
  /** @param environment where the settings are read from */
  static forEnvironment(environment: Environment): DynamicModule {
    return {
      module: CliModule,
      imports: [
        SettingsModule.forRoot(ProvisionerSettings, environment),
        UnreadMetricsModule,
        SourceModule,
        StorageModule,
        ScanModule,
        InventoryModule,
        ImportRequestsModule,
        ImportAllModule,
      ],
      providers: [DatasetsService, SubmissionsService],
    };
  }
}
