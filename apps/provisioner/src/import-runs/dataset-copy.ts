import type { CopyOrder, CopyOutcome } from '../copy/copy-messages.js';
import type { Copier } from '../copy/copier.js';
import { forEachConcurrently } from '../concurrency/for-each-concurrently.js';
import { failpoint } from '../process/failpoint.js';
import type { SourceEntry } from '../model/source-system.js';
import type { Checksums } from '../source/declarations/declared-files.js';
import type { ScanResult } from '../source/place-scan.js';
import type { FileRecord } from '../model/commit.js';
import { individualFlushBytes, type Attempt } from '../model/storage.js';
import { SupersededError } from '../model/storage-failure.js';
import { batchesOf, type Batch } from './batches.js';
import { ProblemList } from '../model/problem-list.js';
import { codeOfErrno, ImportFailure, type FileFailure } from '../model/failure.js';
import type { ProgressMeter } from './progress-meter.js';

/** The number of unlisted batches for each batch that can be copied at once, so that a large file does not stop the rest. */
const unlistedPerCapacity = 8;

/**
 * The copy of every file of a place into the staging area, in batches in the order of the walk. The used memory does not
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
    private readonly scan: ScanResult,
    private readonly staging: Attempt,
    private readonly copier: Copier,
    private readonly meter: ProgressMeter,
  ) {}

  /** @throws ImportFailure with every affected file, or the reason of the signal if it is aborted */
  async run(signal: AbortSignal): Promise<void> {
    const batches = batchesOf(this.scan.entries.read());
    // The batches before the failed batch end and are recorded, so that the next start does not copy them again.
    const abortLaterBatches = (): void => {
      void Promise.allSettled(this.listings).then(() => {
        this.meter.abort();
      });
    };
    const copy = (batch: Batch): Promise<void> => this.copyAndList(batch, signal);
    try {
      await forEachConcurrently(batches, this.copier.capacity, copy, abortLaterBatches);
      await this.listings.at(-1);
    } catch (error) {
      await Promise.allSettled(this.listings);
      signal.throwIfAborted();
      throw error;
    }
    signal.throwIfAborted();
    const { named, count } = this.failures;
    const [first] = named;
    if (first) throw new ImportFailure(first.code, summaryOf(named, count), named);
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
    const declared = await this.scan.declarations.checksums.of(batch.files.map(({ path }) => path));
    const finished = await this.staging.findFinished(batch);
    if (finished) {
      this.meter.filesDone += batch.files.length;
      this.meter.bytesResumed += bytesOf(batch);
      return recordsOf(batch, finished, declared);
    }
    this.meter.begin(batch);
    const outcomes = await this.copier.copy(
      batch.files.map((file, index) => orderOf(file, declared[index])),
      this.meter.counters,
    );
    this.meter.end(batch);
    const sha256 = batch.files.flatMap((file, index) => this.digestOf(file, outcomes[index], declared[index]) ?? []);
    if (sha256.length < batch.files.length) return [];
    failpoint('before_journal');
    await this.staging.recordBatch(batch, sha256);
    failpoint('after_journal');
    this.meter.filesDone += batch.files.length;
    this.meter.recorded.files += batch.files.length;
    this.meter.recorded.bytes += bytesOf(batch);
    return recordsOf(batch, sha256, declared);
  }

  /** Returns the SHA-256 of a copied file that matches its declaration. Records the failure of any other file. */
  private digestOf(
    { path }: SourceEntry,
    outcome: CopyOutcome | undefined,
    declared: Checksums = {},
  ): string | undefined {
    if (!outcome) throw new Error(`The copier returned no outcome for ${path}.`);
    const { digests, failure } = outcome;
    if (digests) return this.isAsDeclared(path, digests, declared) ? digests['sha256'] : undefined;
    if (failure.side === 'aborted') return undefined;
    const code = failure.side === 'changed' ? 'source.changed' : codeOfErrno(failure.errno, failure.side);
    const problem = { code, path, message: failure.message };
    // The copier creates folders. If it cannot create them, another start of the import has removed the staging folder.
    if (failure.side === 'storage' && failure.errno === 'ENOENT') throw new SupersededError();
    if (failure.side === 'storage') throw new ImportFailure(code, problem.message, [problem]);
    this.failures.add(problem);
    return undefined;
  }

  private isAsDeclared(path: string, digests: Readonly<Record<string, string>>, declared: Checksums): boolean {
    let isSame = true;
    for (const [algorithm, expected] of Object.entries(declared)) {
      const actual = digests[algorithm];
      if (actual === expected) continue;
      const message = `${path}: the ${algorithm} is ${String(actual)}, but ${expected} is declared.`;
      this.failures.add({ code: 'checksum.mismatch', path, message });
      isSame = false;
    }
    return isSame;
  }
}

/** Returns the records of a batch's entries. @param declared the declared checksums of the batch's files, in their order */
function recordsOf({ entries }: Batch, sha256: readonly string[], declared: readonly Checksums[]): FileRecord[] {
  let file = 0;
  return entries.map((entry) => {
    if (entry.type !== 'file') return recordOf(entry, undefined, {});
    file += 1;
    return recordOf(entry, sha256[file - 1], declared[file - 1] ?? {});
  });
}

function orderOf({ path, size, mtimeNs, version }: SourceEntry, declared: Checksums = {}): CopyOrder {
  return { path, size, mtimeNs, version, algorithms: Object.keys(declared), flush: size >= individualFlushBytes };
}

function recordOf(entry: SourceEntry, sha256: string | undefined, declared: Checksums): FileRecord {
  return {
    path: entry.path,
    type: entry.type,
    size: entry.size,
    mtime_ns: String(entry.mtimeNs),
    source_mode: entry.mode.toString(8).padStart(4, '0'),
    ...(sha256 && { sha256 }),
    ...(entry.target !== undefined && { target: entry.target }),
    ...(Object.keys(declared).length > 0 && { declared }),
  };
}

function bytesOf({ files }: Batch): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/**
 * Summarizes failures in one or two sentences.
 *
 * @param count the number of failures, which may exceed the number of named ones
 */
export function summaryOf(named: readonly { readonly message: string }[], count = named.length): string {
  const [first] = named;
  const listed = named.length - 1;
  if (listed < 1) return first?.message ?? '';
  const others =
    count > named.length
      ? `${String(count - 1)} more files failed, ${String(listed)} of which`
      : `${String(count - 1)} more failed files`;
  return `${first?.message ?? ''} ${others} are listed with the files of the import.`;
}
