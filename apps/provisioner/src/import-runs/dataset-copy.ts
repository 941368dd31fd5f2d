import type { CopyOutcome } from '../copy/copy-messages.js';
import type { Copier } from '../copy/copier.js';
import { forEachConcurrently } from '../concurrency/for-each-concurrently.js';
import { failpoint } from '../process/failpoint.js';
import type { SourceEntry } from '../model/source-system.js';
import type { Checksums } from '../source/declarations/declared-files.js';
import type { ScanResult } from '../source/place-scan.js';
import type { FileRecord } from '../model/commit.js';
import type { FileDigests, Workspace } from '../model/workspace.js';
import { batchesOf, type Batch } from './batches.js';
import { ProblemList } from '../model/problem-list.js';
import { failureOfProblems } from '../model/failure.js';
import type { FileFailure } from '../model/failure-code.js';
import { failuresOf, orderOf } from './file-outcome.js';
import type { ProgressMeter } from './progress-meter.js';

/** The number of unlisted batches for each batch that can be copied at once, so that a large file does not stop the rest. */
const unlistedPerCapacity = 8;

/** The batches to copy. */
export interface CopyWork {
  readonly batches: AsyncIterable<Batch>;

  /** Returns the declared checksums of a batch's files, in their order. Called once for each batch with files. */
  declaredOf(batch: Batch): Promise<readonly Checksums[]>;
}

/** Returns the work of copying a whole place. */
export function workOf({ entries, declarations }: Pick<ScanResult, 'entries' | 'declarations'>): CopyWork {
  return {
    batches: batchesOf(entries.read()),
    declaredOf: ({ files }) => declarations.checksums.of(files.map(({ path }) => path)),
  };
}

/**
 * The copy of batches into a workspace, in their order. The used memory does not
 * grow with the number of files.
 *
 * Batches that an earlier start recorded are listed and not copied again. The copy continues after a file that differs
 * from its declaration, so that it finds every such file. It stops at the first failure of the storage.
 */
export class DatasetCopy {
  private readonly failures = new ProblemList<FileFailure>();
  /** The pending listings of batches in the order of the walk. Each listing waits for its copy and for the one before. */
  private readonly listings: Promise<void>[] = [];

  constructor(
    private readonly work: CopyWork,
    private readonly staging: Workspace,
    private readonly copier: Copier,
    private readonly meter: ProgressMeter,
  ) {}

  /** @throws ImportFailure with every affected file, or the reason of the signal if it is aborted */
  async run(signal: AbortSignal): Promise<void> {
    // The batches before the failed batch end and are recorded, so that the next start does not copy them again.
    const abortLaterBatches = (): void => {
      void Promise.allSettled(this.listings).then(() => {
        this.meter.abort();
      });
    };
    const copy = (batch: Batch): Promise<void> => this.copyAndList(batch, signal);
    try {
      await forEachConcurrently(this.work.batches, this.copier.capacity, copy, abortLaterBatches);
      await this.listings.at(-1);
    } catch (error) {
      await Promise.allSettled(this.listings);
      signal.throwIfAborted();
      throw error;
    }
    signal.throwIfAborted();
    if (this.failures.count > 0) throw failureOfProblems(this.failures);
  }

  /** Copies a batch, and waits while too many batches are not listed. */
  private async copyAndList(batch: Batch, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const copying = this.copy(batch);
    const listing = this.list(copying, this.listings.at(-1));
    listing.catch(() => undefined);
    this.listings.push(listing);
    await copying;
    while (this.listings.length >= this.copier.capacity * unlistedPerCapacity) await this.listings[0];
  }

  private async list(copying: Promise<readonly FileRecord[]>, before: Promise<void> | undefined): Promise<void> {
    await before;
    await this.staging.list(await copying);
    void this.listings.shift();
  }

  /** Copies a batch, unless an earlier start recorded it. @returns the records to list, none if a file failed */
  private async copy(batch: Batch): Promise<readonly FileRecord[]> {
    if (batch.files.length === 0) return recordsOf(batch, [], []);
    const declared = await this.work.declaredOf(batch);
    const finished = await this.staging.findFinished(batch);
    if (finished) {
      this.meter.addFound(batch.files.length, bytesOf(batch));
      return recordsOf(batch, finished, declared);
    }
    this.meter.begin(batch);
    const outcomes = await this.copier.copy(
      batch.files.map((file, index) => orderOf(file, declared[index], this.staging.manifestAlgorithms)),
      this.meter.counters,
    );
    this.meter.end(batch);
    const digests = batch.files.flatMap((file, index) => this.digestsOf(file, outcomes[index], declared[index]) ?? []);
    if (digests.length < batch.files.length) return [];
    failpoint('before_journal');
    await this.staging.recordBatch(batch, digests);
    failpoint('after_journal');
    this.meter.filesDone += batch.files.length;
    this.meter.recorded.files += batch.files.length;
    this.meter.recorded.bytes += bytesOf(batch);
    return recordsOf(batch, digests, declared);
  }

  /** Returns the digests of a copied file that matches its declaration. Records the failures of any other file. */
  private digestsOf(
    file: SourceEntry,
    outcome: CopyOutcome | undefined,
    declared?: Checksums,
  ): FileDigests | undefined {
    const failures = failuresOf(file, outcome, declared);
    for (const failure of failures) this.failures.add(failure);
    const { digests } = outcome ?? {};
    if (failures.length > 0 || !digests) return undefined;
    const further = this.staging.manifestAlgorithms.map((algorithm) => [algorithm, digests[algorithm]]);
    return { ...(Object.fromEntries(further) as Partial<FileDigests>), sha256: digests['sha256'] ?? '' };
  }
}

/** Returns the records of a batch's entries. @param declared the declared checksums of the batch's files, in their order */
function recordsOf({ entries }: Batch, digests: readonly FileDigests[], declared: readonly Checksums[]): FileRecord[] {
  let file = 0;
  return entries.map((entry) => {
    if (entry.type !== 'file') return recordOf(entry, undefined, {});
    file += 1;
    return recordOf(entry, digests[file - 1], declared[file - 1] ?? {});
  });
}

function recordOf(entry: SourceEntry, found: FileDigests | undefined, declared: Checksums): FileRecord {
  const { sha256, ...digests } = found ?? {};
  return {
    path: entry.path,
    type: entry.type,
    size: entry.size,
    mtime_ns: String(entry.mtimeNs),
    source_mode: entry.mode.toString(8).padStart(4, '0'),
    ...(sha256 !== undefined && { sha256 }),
    ...(Object.keys(digests).length > 0 && { digests }),
    ...(entry.target !== undefined && { target: entry.target }),
    ...(Object.keys(declared).length > 0 && { declared }),
  };
}

function bytesOf({ files }: Batch): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
