import { setTimeout as pause } from 'node:timers/promises';
import { isVersionConclusive } from '../copy/part-notes.js';
import { failpoint } from '../process/failpoint.js';
import { ImportFailure, failureOfProblems } from '../model/failure.js';
import type { FileFailure } from '../model/failure-code.js';
import type { Problem } from '../model/problem.js';
import { ProblemList } from '../model/problem-list.js';
import type { ShardBatch, ShardFailure, Shards, ShardTotals } from '../model/shards.js';
import type { ScanResult } from '../source/place-scan.js';
import type { CopyRequest } from './copy-request.js';
import { workOf } from './dataset-copy.js';

/** The interval in milliseconds at which the owner looks at the states of its shards. */
const lookMs = 300;

/** The interval in milliseconds at which the jobs of open shards are added again, in case the queue has lost them. */
const offerMs = 5_000;

/** Maximum number of shards whose jobs are added at once, so that a large dataset does not fill the queue. */
const maxOffered = 256;

/** The interval in milliseconds at which the owner checks whether the versions of the files are conclusive. */
const settleMs = 100;

/**
 * The copy of a large place by all workers. This process owns the attempt: it cuts the place into shards, offers their
 * jobs, and waits until the storage shows that every shard is finished. `docs/decisions` describes the interleavings.
 */
export class ShardedCopy {
  private readonly failures = new ProblemList<Problem | FileFailure>();
  private readonly failed = new Set<number>();
  private offerAt = 0;

  /**
   * @param most the limits of a shard. A place within these limits is not cut. 0 bytes: no place is cut.
   * @param offer adds the jobs of shards to the queue
   */
  constructor(
    private readonly shards: Shards,
    private readonly wanted: Pick<CopyRequest, 'place' | 'scan' | 'meter'>,
    private readonly most: ShardTotals,
    private readonly offer: (shards: readonly number[]) => Promise<void>,
  ) {}

  /**
   * Waits until every shard is finished. Does nothing if the place is small.
   *
   * @throws ImportFailure with every affected file, or the reason of the signal if it is aborted
   */
  async run(signal: AbortSignal): Promise<void> {
    if (!(await this.shards.plan()) && !(await this.cut(signal))) return;
    await untilConclusive(this.wanted.scan, signal);
    await this.shards.open();
    failpoint('shards_opened');
    try {
      while (!(await this.look())) await pause(lookMs, undefined, { signal });
      if (this.failures.count > 0) throw failureOfProblems(this.failures);
    } catch (error) {
      // A stopped owner leaves the shards open, so that the other workers continue.
      signal.throwIfAborted();
      await this.shards.close();
      throw error;
    }
    failpoint('shards_copied');
  }

  /** Cuts the place into shards. @returns false if it is small, or partly copied by a process that did not cut it */
  private async cut(signal: AbortSignal): Promise<boolean> {
    const { scan, place } = this.wanted;
    const { files, bytes } = this.most;
    const isLarge = scan.files > files || scan.bytes > bytes;
    if (bytes === 0 || !isLarge || !this.shards.isCuttable) return false;
    await this.shards.cut(place, shardBatchesOf(scan, signal), this.most);
    failpoint('shards_cut');
    return true;
  }

  /** Reads the states of the shards, and offers open ones. @returns whether every shard has ended */
  private async look(): Promise<boolean> {
    const { failed, open, progress } = await this.shards.look();
    this.wanted.meter.reportShards(progress);
    for (const shard of failed) {
      if (!this.failed.has(shard)) this.addFailure(await this.shards.failureOf(shard));
      this.failed.add(shard);
    }
    const now = performance.now();
    if (open.length > 0 && now >= this.offerAt) {
      this.offerAt = now + offerMs;
      // If the queue is down, this import loses its own job too.
      await this.offer(open.slice(0, maxOffered)).catch(() => undefined);
    }
    return open.length === 0;
  }

  /** Collects the affected files of a shard. @throws ImportFailure if the failure does not concern single files */
  private addFailure({ code, message, problems, counts }: ShardFailure): void {
    if (problems.length === 0 || code.startsWith('storage.')) throw new ImportFailure(code, message, problems);
    const counted = Object.entries(counts) as [FileFailure['code'], number][];
    this.failures.addAll({ named: problems, counted });
  }
}

/** Waits until a version of a file that differs shows every change, so that all workers copy the same bytes. */
async function untilConclusive({ changedAt }: ScanResult, signal: AbortSignal): Promise<void> {
  while (!isVersionConclusive(changedAt)) await pause(settleMs, undefined, { signal });
}

async function* shardBatchesOf(scan: ScanResult, signal: AbortSignal): AsyncGenerator<ShardBatch> {
  const work = workOf(scan);
  for await (const batch of work.batches) {
    signal.throwIfAborted();
    const { files } = batch;
    if (files.length > 0) yield { files, declared: await work.declaredOf(batch) };
  }
}
