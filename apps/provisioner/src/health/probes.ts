import { Injectable } from '@nestjs/common';
import { ReadinessProbe, ReadOnlyDependencyError } from '@rdc/http';
import { ImportQueue } from '../queue/import-queue.js';
import { QueueOutages } from '../queue/queue-outages.js';
import { SourceScan } from '../scan/source-scan.js';
import { SourceSystem } from '../model/source-system.js';
import { faultOf } from '../storage/storage-fault.js';
import { StorageFailure } from '../model/storage-failure.js';
import { Storage } from '../model/storage.js';

/** Milliseconds for which the outcome of a trial write holds: probes and scrapes come every second or so. */
const keptMs = { written: 15_000, refused: 5_000 };

/** Whether the storage can be listed, and written as well. */
@Injectable()
export class StorageProbe extends ReadinessProbe {
  readonly dependency = 'storage';
  private trial: { readonly outcome: Promise<unknown>; validUntil: number } | undefined;

  constructor(private readonly storage: Storage) {
    super();
  }

  /** @throws ReadOnlyDependencyError if the storage can be listed but not written */
  async check(): Promise<void> {
    await this.storage.ping();
    const refusal = await this.tryWriting();
    if (refusal) throw new ReadOnlyDependencyError(sentenceOf(refusal), refusal);
  }

  /** @returns the failure of the last trial write; undefined if it succeeded */
  private tryWriting(): Promise<unknown> {
    if (this.trial && performance.now() < this.trial.validUntil) return this.trial.outcome;
    const trial = {
      outcome: this.storage.tryWriting().catch((error: unknown) => error),
      validUntil: Number.POSITIVE_INFINITY,
    };
    void trial.outcome.then((refusal) => {
      trial.validUntil = performance.now() + (refusal ? keptMs.refused : keptMs.written);
    });
    this.trial = trial;
    return trial.outcome;
  }
}

/** Storage probe of a worker, which can do nothing while the storage cannot be written. */
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

function sentenceOf(refusal: unknown): string {
  const errno = refusal instanceof StorageFailure ? refusal.errno : undefined;
  const fault = faultOf(errno);
  const reason = { disk_full: 'it is full', read_only: 'it is read-only', denied: 'permission is denied' } as const;
  const why = fault === 'silent' || fault === 'disk_failing' ? 'a trial write failed' : reason[fault];
  return `cannot be written: ${why} (${errno ?? String(refusal)})`;
}

/** The source can be listed. */
@Injectable()
export class SourceProbe extends ReadinessProbe {
  readonly dependency = 'source';

  constructor(private readonly source: SourceSystem) {
    super();
  }

  check(): Promise<void> {
    return this.source.probe();
  }
}

/** The queue answers. */
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

/** The source was scanned once, so that lists show sizes. */
@Injectable()
export class ScanProbe extends ReadinessProbe {
  readonly dependency = 'scan';

  constructor(private readonly scan: SourceScan) {
    super();
  }

  check(): Promise<void> {
    return this.scan.result.scannedAt ? Promise.resolve() : Promise.reject(new Error('the first scan has not ended'));
  }
}
