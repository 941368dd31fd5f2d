import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Attempt } from '../model/attempt.js';
import { ImportQueue } from '../queue/import-queue.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { CopierFactory } from './copier.factory.js';
import { DatasetCopy, workOf } from './dataset-copy.js';
import { ShardedCopy } from './sharded-copy.js';
import type { CopyRequest } from './copy-request.js';

/** The copies of whole places: by this process, or by all workers if the place is large. */
@Injectable()
export class DatasetCopies {
  /** @param queue the queue of shards; without a queue this process copies every place */
  constructor(
    readonly copiers: CopierFactory,
    private readonly settings: ProvisionerSettings,
    @Optional() @Inject(ImportQueue) private readonly queue: ImportQueue | null = null,
  ) {}

  /**
   * Copies a place into an attempt, and lists its entries. Files that other workers have copied are found and listed. All
   * other files are copied by this process.
   *
   * @throws ImportFailure with every affected file, or the reason of the signal if it is aborted
   */
  async copy(wanted: CopyRequest, attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { queue, settings, copiers } = this;
    const { request, place, scan, meter } = wanted;
    if (attempt.shards && queue) {
      const offer = (shards: readonly number[]): Promise<void> => queue.addShards(request, shards);
      const most = { files: settings.SHARD_FILES, bytes: settings.SHARD_BYTES };
      await new ShardedCopy(attempt.shards, wanted, most, offer).run(signal);
    }
    await new DatasetCopy(workOf(scan), attempt, copiers.create(place, attempt), meter).run(signal);
  }
}
