import { Injectable, Logger, Module, type OnModuleInit } from '@nestjs/common';
import { ImportQueue } from '../queue/import-queue.js';
import { QueueModule } from '../queue/queue.module.js';
import { SourceModule } from '../source/source.module.js';
import { SourceSystem } from '../model/source-system.js';
import { StorageModule } from '../storage/storage.module.js';
import { StorageGuarantees } from '../storage/storage-guarantees.js';

/** Something this service needs does not do what it must; the message is for the operator, in a sentence. */
export class UnfitDependencyError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'UnfitDependencyError';
  }
}

/** Tries, before anything else starts, what storage, source and queue must do. */
@Injectable()
class StartUpChecks implements OnModuleInit {
  private readonly logger = new Logger(StartUpChecks.name);

  constructor(
    private readonly source: SourceSystem,
    private readonly guarantees: StorageGuarantees,
    private readonly queue: ImportQueue,
  ) {}

  async onModuleInit(): Promise<void> {
    await named('SOURCE_URL cannot be used', this.source.probe());
    await named('STORAGE_URL cannot be used', this.guarantees.proveAtStart());
    const risks = await named('QUEUE_URL cannot be used', this.queue.waitUntilReady());
    for (const risk of risks) this.logger.warn(risk);
  }
}

async function named<T>(what: string, check: Promise<T>): Promise<T> {
  try {
    return await check;
  } catch (cause) {
    throw new UnfitDependencyError(`${what}: ${reasonOf(cause)}`, cause);
  }
}

function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || (code ?? 'no reason given');
}

/** Refuses to start if a dependency does not do what it must. A full or read-only storage may do so later. */
@Module({ imports: [SourceModule, StorageModule, QueueModule], providers: [StartUpChecks] })
export class StartUpModule {}
