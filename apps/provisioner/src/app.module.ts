import { Module, type DynamicModule } from '@nestjs/common';
import { HealthModule, MetricsModule } from '@rdc/http';
import { SettingsModule, type Environment } from '@rdc/settings';
import { AccessModule } from './http/access.module.js';
import { DatasetsController } from './datasets/datasets.controller.js';
import { DatasetsModule } from './datasets/datasets.module.js';
import { QueueProbe, ScanProbe, SourceProbe, StorageProbe } from './health/probes.js';
import { StartUpModule } from './health/start-up.js';
import { ImportsModule } from './imports/imports.module.js';
import { InventoryModule } from './inventory/inventory.module.js';
import { QueueModule } from './queue/queue.module.js';
import { ScheduleModule } from './schedule/schedule.module.js';
import { ProvisionerSettings, settingsClasses } from './settings/provisioner.settings.js';
import { BackgroundScanModule, ScanModule } from './scan/scan.module.js';
import { SourceModule } from './source/source.module.js';
import { StorageModule } from './storage/storage.module.js';
import { SubmissionsController } from './submissions/submissions.controller.js';
import { SubmissionsService } from './submissions/submissions.service.js';
import { version } from './process/version.js';

const dependencies = [SourceModule, StorageModule, QueueModule];

/** The HTTP service of the provisioner. */
@Module({})
export class AppModule {
  /** @param environment the variables from which the settings are read */
  static forEnvironment(environment: Environment): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(settingsClasses, environment),
        MetricsModule.forRoot({ service: 'provisioner', version }),
        AccessModule,
        StartUpModule,
        ...dependencies,
        BackgroundScanModule,
        ScanModule,
        InventoryModule,
        DatasetsModule,
        // Before ImportsModule, whose route `imports/:id` would match the paths of the schedule.
        ScheduleModule,
        ImportsModule,
        HealthModule.forRoot({
          settings: ProvisionerSettings,
          probes: [StorageProbe, SourceProbe, QueueProbe, ScanProbe],
          imports: [...dependencies, ScanModule],
        }),
      ],
      controllers: [DatasetsController, SubmissionsController],
      providers: [SubmissionsService],
    };
  }
}
