import type { Shard, ShardBatch } from '../model/shards.js';
import { failpoint } from '../process/failpoint.js';
import { batchOf, type Batch } from './batches.js';
import type { CopierFactory } from './copier.factory.js';
import { DatasetCopy, type CopyWork } from './dataset-copy.js';
import type { ProgressMeter } from './progress-meter.js';

/** The interval in milliseconds at which the progress of a shard is reported. */
const reportMs = 1_000;

/** The copy of one claimed shard. */
export class ShardRun {
  constructor(
    private readonly shard: Shard,
    private readonly copiers: CopierFactory,
    private readonly meter: ProgressMeter,
  ) {}

  /** @throws ImportFailure with every affected file; SupersededError; or the reason of the signal if it is aborted */
  async run(signal: AbortSignal): Promise<void> {
    failpoint('shard_claimed');
    const abort = (): void => {
      this.meter.abort();
    };
    signal.addEventListener('abort', abort, { once: true });
    const timer = setInterval(() => {
      // A report that is lost is replaced by the next one. The copy itself detects a loss of the claim.
      void this.report().catch(() => undefined);
    }, reportMs);
    try {
      signal.throwIfAborted();
      if (!this.shard.isCopied) await this.copy(signal);
      signal.throwIfAborted();
      await this.shard.complete();
    } finally {
      clearInterval(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  private copy(signal: AbortSignal): Promise<void> {
    const copier = this.copiers.create(this.shard.plan.place, this.shard);
    return new DatasetCopy(workOfShard(this.shard), this.shard, copier, this.meter).run(signal);
  }

  private report(): Promise<void> {
    const { filesDone, bytesResumed, recorded } = this.meter;
    return this.shard.report({ files: filesDone, bytes: bytesResumed + recorded.bytes, current: this.meter.current() });
  }
}

/** Returns the work of copying a shard. Declared checksums are in memory from the reading of a batch to its copy. */
function workOfShard(shard: Shard): CopyWork {
  const declared = new Map<string, ShardBatch['declared']>();
  async function* batches(): AsyncGenerator<Batch> {
    for await (const { files, declared: ofFiles } of shard.batches()) {
      const batch = batchOf(files);
      declared.set(batch.key, ofFiles);
      yield batch;
    }
  }
  return {
    batches: batches(),
    declaredOf: ({ key }) => {
      const found = declared.get(key) ?? [];
      declared.delete(key);
      return Promise.resolve(found);
    },
  };
}
