import { createHash } from 'node:crypto';
import type { Difference } from '../fixity/differences.js';
import type { FileChecker } from '../fixity/file-checker.js';
import { recordBatches } from '../fixity/stored-list.js';
import type { Subject } from '../model/identifier.js';
import type { Commit, FileRecord } from '../model/commit.js';
import { fileListFile, manifestFile } from '../model/layout.js';
import { StorageFailure } from '../model/storage-failure.js';
import type { Storage } from '../model/storage.js';
import { ProblemList } from '../model/problem-list.js';
import { codeOfErrno, ImportFailure, type FailureCode, type FileFailure } from '../model/failure.js';
import type { ImportResult } from '../model/import-record.js';
import type { ProgressMeter } from './progress-meter.js';

/** What a fixity check found. */
export interface VerificationReport {
  readonly result: ImportResult;
  readonly failures: ProblemList<FileFailure>;
}

/**
 * One fixity check: reads every file of an imported dataset again and compares it with the list that was published with
 * it. Every missing, extra and differing file is found; nothing is changed.
 *
 * Reads the list once, and looks each of its entries up in the storage. The paths of the list stay in memory, so that
 * entries that are not in the list are found.
 */
export class Verification {
  private readonly failures = new ProblemList<FileFailure>();
  /** The paths of the list, those of folders with a slash at their end. */
  private readonly listed = new Set<string>();

  constructor(
    private readonly storage: Storage,
    private readonly subject: Subject,
    private readonly meter: ProgressMeter,
    private readonly checker: FileChecker,
  ) {}

  /** @throws ImportFailure when it is not imported, the reason of the signal, or StorageFailure */
  async run(signal: AbortSignal): Promise<VerificationReport> {
    const commit = await this.commit();
    this.meter.phase = 'verifying';
    this.meter.filesTotal = commit.content.files;
    this.meter.bytesTotal = commit.content.bytes;
    if (await this.checkList(commit, signal)) await this.findUnlisted(signal);
    await this.checkManifest(commit, signal);
    // A dataset that was withdrawn meanwhile lacks every file, and nothing is wrong with it.
    if ((await this.commit()).import_id !== commit.import_id) throw this.notImported();
    const { files, bytes, manifest_sha256 } = commit.content;
    return {
      failures: this.failures,
      result: { path: this.storage.pathOf(this.subject), files, bytes, manifest_sha256 },
    };
  }

  private async commit(): Promise<Commit> {
    const commit = await this.storage.findCommit(this.subject);
    if (!commit) throw this.notImported();
    return commit;
  }

  private notImported(): ImportFailure {
    return new ImportFailure('not_imported', `${this.subject.id} is not imported, or not any more.`);
  }

  /**
   * The list itself is compared too: whoever can change a file could have changed its line as well.
   *
   * @returns false when there is none
   */
  private async checkList({ content }: Commit, signal: AbortSignal): Promise<boolean> {
    const digest = createHash('sha256');
    const checking = new Set<Promise<void>>();
    try {
      for await (const batch of recordBatches(this.storage.openList(this.subject, 'ndjson'), digest)) {
        while (checking.size >= this.checker.capacity) await Promise.race(checking);
        signal.throwIfAborted();
        const check = this.check(batch, signal).finally(() => checking.delete(check));
        check.catch(() => undefined);
        checking.add(check);
      }
      await Promise.all(checking);
    } catch (error) {
      this.meter.abort();
      await Promise.allSettled(checking);
      signal.throwIfAborted();
      if (!isAbsence(error)) throw error;
      this.note('list.changed', fileListFile, 'is not there.');
      return false;
    }
    if (digest.digest('hex') !== content.list_sha256) {
      this.note('list.changed', fileListFile, 'is not the list that was published.');
    }
    return true;
  }

  /** The same list for `sha256sum -c`, by which others than we compare. */
  private async checkManifest({ content }: Commit, signal: AbortSignal): Promise<void> {
    try {
      const found = await this.storage.digestOfManifest(this.subject, signal);
      if (found === content.manifest_sha256) return;
      this.note('list.changed', manifestFile, 'is not the manifest that was published.');
    } catch (error) {
      if (!isAbsence(error)) throw error;
      this.note('list.changed', manifestFile, 'is not there.');
    }
  }

  private async check(batch: readonly FileRecord[], signal: AbortSignal): Promise<void> {
    const group = { files: batch.filter(({ type }) => type === 'file') };
    this.meter.begin(group);
    for (const { path, type } of batch) this.listed.add(type === 'directory' ? `${path}/` : path);
    const differences = await this.checker.check(batch, this.meter.counters);
    signal.throwIfAborted();
    for (const [index, { path }] of batch.entries()) {
      for (const difference of differences[index] ?? []) this.note(codeOf(difference), path, difference.description);
    }
    this.meter.end(group);
    this.meter.filesDone += group.files.length;
  }

  private async findUnlisted(signal: AbortSignal): Promise<void> {
    for await (const { path, type } of this.storage.entriesOf(this.subject)) {
      signal.throwIfAborted();
      if (this.listed.has(path)) continue;
      const wasFolder = this.listed.has(`${path}/`);
      if (!wasFolder) this.note('file.unlisted', path, 'was not imported with the dataset.');
      else if (type !== 'directory') this.note('file.special', path, 'was a folder.');
    }
  }

  private note(code: FailureCode, path: string, what: string): void {
    this.failures.add({ code, path, message: `${path} ${what}` });
  }
}

function isAbsence(error: unknown): boolean {
  return (error instanceof StorageFailure ? error.errno : (error as NodeJS.ErrnoException).code) === 'ENOENT';
}

function codeOf({ code, errno }: Difference): FailureCode {
  return code ?? codeOfErrno(errno, 'storage');
}
