import type { CopyOrder, CopyOutcome } from '../copy/copy-messages.js';
import type { Copier } from '../copy/copier.js';
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

/** Batches whose outcomes may be outstanding for each that the threads can hold: a large file does not hold up the rest. */
const windowPerCapacity = 8;

/**
 * Copies every file of a place into an attempt, batch by batch in the order of the walk, and lists what it copied. What
 * it keeps in memory does not grow with the number of files.
 *
 * Batches that an earlier attempt finished are listed without being copied again. Every file that differs from what the
 * source declares is found, not only the first; a failure of the storage stops at once.
 */
export class DatasetCopy {
  private readonly failures = new ProblemList<FileFailure>();
  /** What is being copied: no more than can be, so that the walk does not run ahead of the copy. */
  private readonly copying = new Set<Promise<unknown>>();
  /** What is not listed yet, in the order of the walk: each is listed as soon as it is copied and the one before is listed. */
  private readonly unlisted: Promise<void>[] = [];

  constructor(
    private readonly survey: ScanResult,
    private readonly attempt: Attempt,
    private readonly copier: Copier,
    private readonly meter: ProgressMeter,
  ) {}

  /** @throws ImportFailure with every offending file, or the reason of the signal */
  async run(signal: AbortSignal): Promise<void> {
    try {
      for await (const batch of batchesOf(this.survey.entries.read())) {
        signal.throwIfAborted();
        while (this.unlisted.length >= this.copier.capacity * windowPerCapacity) await this.unlisted[0];
        while (this.copying.size >= this.copier.capacity) await Promise.race(this.copying);
        this.begin(batch);
      }
      await this.unlisted.at(-1);
    } catch (error) {
      this.meter.abort();
      await Promise.allSettled([...this.copying, ...this.unlisted]);
      signal.throwIfAborted();
      throw error;
    }
    signal.throwIfAborted();
    const { named, count } = this.failures;
    const [first] = named;
    if (first) throw new ImportFailure(first.code, summaryOf(named, count), named);
  }

  private begin(batch: Batch): void {
    const copying = this.copy(batch).finally(() => this.copying.delete(copying));
    copying.catch(() => undefined);
    this.copying.add(copying);
    const listing = this.list(copying, this.unlisted.at(-1));
    listing.catch(() => undefined);
    this.unlisted.push(listing);
  }

  private async list(copying: Promise<readonly FileRecord[]>, before: Promise<void> | undefined): Promise<void> {
    await before;
    await this.attempt.list(await copying);
    void this.unlisted.shift();
  }

  /** Copies what of the batch needs copying. @returns what is to be listed of it */
  private async copy(batch: Batch): Promise<readonly FileRecord[]> {
    if (batch.files.length === 0) return recordsOf(batch, [], []);
    const declared = await this.survey.declarations.checksums.of(batch.files.map(({ path }) => path));
    const finished = await this.attempt.findFinished(batch);
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
    // Listed only if all went well; with failures the import ends, and nothing of what was listed counts.
    if (sha256.length < batch.files.length) return [];
    failpoint('before_journal');
    await this.attempt.recordBatch(batch, sha256);
    failpoint('after_journal');
    this.meter.filesDone += batch.files.length;
    this.meter.recorded.files += batch.files.length;
    this.meter.recorded.bytes += bytesOf(batch);
    return recordsOf(batch, sha256, declared);
  }

  /** The SHA-256 of a file that was copied and is what the source declares; of any other, notes why not. */
  private digestOf(
    { path }: SourceEntry,
    outcome: CopyOutcome | undefined,
    declared: Checksums = {},
  ): string | undefined {
    if (!outcome) throw new Error(`Nothing is known of the copy of ${path}.`);
    const { digests, failure } = outcome;
    if (digests) return this.isAsDeclared(path, digests, declared) ? digests['sha256'] : undefined;
    if (failure.side === 'aborted') return undefined;
    const code = failure.side === 'changed' ? 'source.changed' : codeOfErrno(failure.errno, failure.side);
    const problem = { code, path, message: failure.message };
    // Copying makes the folders that it needs; that they cannot be made means that the staging folder is gone.
    if (failure.side === 'storage' && failure.errno === 'ENOENT') throw new SupersededError();
    if (failure.side === 'storage') throw new ImportFailure(code, problem.message, [problem]);
    this.failures.add(problem);
    return undefined;
  }

  private isAsDeclared(path: string, digests: Readonly<Record<string, string>>, declared: Checksums): boolean {
    let isSame = true;
    for (const [algorithm, wanted] of Object.entries(declared)) {
      const found = digests[algorithm];
      if (found === wanted) continue;
      const message = `${path} has ${algorithm} ${String(found)}; declared is ${wanted}.`;
      this.failures.add({ code: 'checksum.mismatch', path, message });
      isSame = false;
    }
    return isSame;
  }
}

/** @param declared the declared checksums of the batch's files */
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

/** One sentence for one or many offending files. @param count how many there are, also where not all are named */
export function summaryOf(named: readonly { readonly message: string }[], count = named.length): string {
  const [first] = named;
  const listed = named.length - 1;
  if (listed < 1) return first?.message ?? '';
  const some = count > named.length ? `; ${String(listed)} of them` : '';
  return `${first?.message ?? ''} ${String(count - 1)} more like this${some} are listed with the import's files.`;
}
