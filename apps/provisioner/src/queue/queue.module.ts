import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { ImportQueue } from './import-queue.js';
import { QueueOutages } from './queue-outages.js';
import { queueTelemetry } from './queue-telemetry.js';
import { QueueMetrics } from './queue.metrics.js';

/** The queue at `QUEUE_URL`. */
@Module({
  providers: [
    QueueOutages,
    {
      provide: ImportQueue,
      inject: [ProvisionerSettings, QueueOutages],
      useFactory: async ({ QUEUE_URL }: ProvisionerSettings, outages: QueueOutages) => {
        const logError = (error: Error): void => {
          outages.failed(error);
        };
        return new ImportQueue(QUEUE_URL, logError, await queueTelemetry());
      },
    },
    QueueMetrics,
  ],
  exports: [ImportQueue, QueueOutages],
})
export class QueueModule implements OnApplicationShutdown {
  constructor(private readonly queue: ImportQueue) {}

  async onApplicationShutdown(): Promise<void> {
    await this.queue.close();
  }
}
