import { Injectable, Logger, Module, type OnModuleInit } from '@nestjs/common';
import { ImportQueue } from '../queue/import-queue.js';
import { QueueModule } from '../queue/queue.module.js';
import { SourceModule } from '../source/source.module.js';
import { SourceSystem } from '../model/source-system.js';
import { StorageModule } from '../storage/storage.module.js';
import { StorageGuarantees } from '../storage/storage-guarantees.js';

/** A dependency does not provide what the service needs. The message is addressed to operators. */
export class UnfitDependencyError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'UnfitDependencyError';
  }
}

/** Checks the storage, the source and the queue before the service starts. */
@Injectable()
class StartUpChecks implements OnModuleInit {
  private readonly logger = new Logger(StartUpChecks.name);

  constructor(
    private readonly source: SourceSystem,
    private readonly guarantees: StorageGuarantees,
    private readonly queue: ImportQueue,
  ) {}

  async onModuleInit(): Promise<void> {
    await withContext('SOURCE_URL cannot be used', this.source.probe());
    await withContext('STORAGE_URL cannot be used', this.guarantees.proveAtStart());
    const risks = await withContext('QUEUE_URL cannot be used', this.queue.waitUntilReady());
    for (const risk of risks) this.logger.warn(risk);
  }
}

async function withContext<T>(context: string, check: Promise<T>): Promise<T> {
  try {
    return await check;
  } catch (cause) {
    throw new UnfitDependencyError(`${context}: ${reasonOf(cause)}`, cause);
  }
}

function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || (code ?? 'no reason given');
}

/** Refuses the start if a dependency is unfit. A full or read-only storage is accepted, because it may recover. */
@Module({ imports: [SourceModule, StorageModule, QueueModule], providers: [StartUpChecks] })
export class StartUpModule {}
