import { Module, type DynamicModule } from '@nestjs/common';
import { HealthModule, MetricsModule } from '@rdc/http';
import { SettingsModule, type Environment } from '@rdc/settings';
import { QueueProbe, SourceProbe, WorkerStorageProbe } from './health/probes.js';
import { StartUpModule } from './health/start-up.js';
import { ImportWorkerModule } from './import-runs/import-worker.module.js';
import { QueueModule } from './queue/queue.module.js';
import { ScheduleWorkerModule } from './schedule/import-all.module.js';
import { ProvisionerSettings, settingsClasses } from './settings/provisioner.settings.js';
import { SourceModule } from './source/source.module.js';
import { StorageModule } from './storage/storage.module.js';
import { version } from './process/version.js';

const dependencies = [SourceModule, StorageModule, QueueModule];

/** The worker of the provisioner. It runs imports from the queue and serves only health probes and `/metrics`. */
@Module({})
export class WorkerModule {
  /** @param environment the variables from which the settings are read */
  static forEnvironment(environment: Environment): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        SettingsModule.forRoot(settingsClasses, environment),
        MetricsModule.forRoot({ service: 'provisioner-worker', version }),
        StartUpModule,
        ...dependencies,
        ImportWorkerModule,
        ScheduleWorkerModule,
        HealthModule.forRoot({
          settings: ProvisionerSettings,
          probes: [WorkerStorageProbe, SourceProbe, QueueProbe],
          imports: dependencies,
        }),
      ],
    };
  }
}
