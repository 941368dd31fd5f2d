import { Injectable } from '@nestjs/common';
import { ReadinessProbe, ReadOnlyDependencyError } from '@rdc/http';
import { ImportQueue } from '../queue/import-queue.js';
import { QueueOutages } from '../queue/queue-outages.js';
import { SourceScan } from '../scan/source-scan.js';
import { SourceIndex } from '../source/source-index.js';
import { faultOf } from '../storage/storage-fault.js';
import { StorageFailure } from '../model/storage-failure.js';
import { Storage } from '../model/storage.js';

/** Time for which the result of a trial write is reused. Probes and scrapes may come every second. */
const maxAgeMs = { succeeded: 15_000, failed: 5_000 };

/** The probe of the storage: checks that the storage can be read and written. */
@Injectable()
export class StorageProbe extends ReadinessProbe {
  readonly dependency = 'storage';
  private trial: { readonly outcome: Promise<unknown>; validUntil: number } | undefined;

  constructor(private readonly storage: Storage) {
    super();
  }

  /** Checks the storage. @throws ReadOnlyDependencyError if the storage can be read but not written */
  async check(): Promise<void> {
    await this.storage.ping();
    const failure = await this.tryWriting();
    if (failure) throw new ReadOnlyDependencyError(messageOf(failure), failure);
  }

  /** Returns the failure of the latest trial write; undefined if it succeeded. */
  private tryWriting(): Promise<unknown> {
    if (this.trial && performance.now() < this.trial.validUntil) return this.trial.outcome;
    const trial = {
      outcome: this.storage.tryWriting().catch((error: unknown) => error),
      validUntil: Number.POSITIVE_INFINITY,
    };
    void trial.outcome.then((failure) => {
      trial.validUntil = performance.now() + (failure ? maxAgeMs.failed : maxAgeMs.succeeded);
    });
    this.trial = trial;
    return trial.outcome;
  }
}

/** The storage probe of a worker. A worker is not ready while the storage cannot be written. */
@Injectable()
export class WorkerStorageProbe extends StorageProbe {
  override async check(): Promise<void> {
    try {
      await super.check();
    } catch (error) {
      throw error instanceof ReadOnlyDependencyError ? new Error(error.message, { cause: error }) : error;
    }
  }
}

function messageOf(failure: unknown): string {
  const errno = failure instanceof StorageFailure ? failure.errno : undefined;
  const fault = faultOf(errno);
  const reason = { disk_full: 'it is full', read_only: 'it is read-only', denied: 'permission is denied' } as const;
  const why = fault === 'silent' || fault === 'disk_failing' ? 'a trial write failed' : reason[fault];
  return `cannot be written: ${why} (${errno ?? String(failure)})`;
}

/** The probe of the source: checks that this process sees the source. */
@Injectable()
export class SourceProbe extends ReadinessProbe {
  readonly dependency = 'source';

  constructor(private readonly index: SourceIndex) {
    super();
  }

  check(): Promise<void> {
    return this.index.gate.check();
  }
}

/** The probe of the queue: checks that the queue answers. */
@Injectable()
export class QueueProbe extends ReadinessProbe {
  readonly dependency = 'queue';

  constructor(
    private readonly queue: ImportQueue,
    private readonly outages: QueueOutages,
  ) {
    super();
  }

  async check(): Promise<void> {
    await this.queue.probe();
    this.outages.succeeded();
  }
}

/** The probe of the scan: checks that the first round over the source has ended, so that lists show sizes. */
@Injectable()
export class ScanProbe extends ReadinessProbe {
  readonly dependency = 'scan';
  private hasEnded = false;

  constructor(private readonly scan: SourceScan) {
    super();
  }

  async check(): Promise<void> {
    this.hasEnded ||= (await this.scan.latest()).scannedAt !== null;
    if (!this.hasEnded) throw new Error('the first scan has not ended');
  }
}
