import { Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ProvisionerSettings } from '../settings.js';
import { ImportQueue } from './import-queue.js';

/** The queue that `QUEUE_URL` names. */
@Module({
  providers: [
    {
      provide: ImportQueue,
      inject: [ProvisionerSettings],
      useFactory: ({ QUEUE_URL }: ProvisionerSettings) => {
        const logger = new Logger(ImportQueue.name);
        return new ImportQueue(QUEUE_URL, (error) => {
          logger.warn(`queue: ${error.message}`);
        });
      },
    },
  ],
  exports: [ImportQueue],
})
export class QueueModule implements OnApplicationShutdown {
  constructor(private readonly queue: ImportQueue) {}

  async onApplicationShutdown(): Promise<void> {
    await this.queue.close();
  }
}
