import { Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ProvisionerSettings } from '../settings.js';
import { ImportQueue } from './import-queue.js';
import { queueTelemetry } from './queue-telemetry.js';
import { QueueMetrics } from './queue.metrics.js';

/** The queue that `QUEUE_URL` names. */
@Module({
  providers: [
    {
      provide: ImportQueue,
      inject: [ProvisionerSettings],
      useFactory: async ({ QUEUE_URL }: ProvisionerSettings) => {
        const logger = new Logger(ImportQueue.name);
        const warn = (error: Error): void => {
          logger.warn(`queue: ${error.message}`);
        };
        return new ImportQueue(QUEUE_URL, warn, await queueTelemetry());
      },
    },
    QueueMetrics,
  ],
  exports: [ImportQueue],
})
export class QueueModule implements OnApplicationShutdown {
  constructor(private readonly queue: ImportQueue) {}

  async onApplicationShutdown(): Promise<void> {
    await this.queue.close();
  }
}
