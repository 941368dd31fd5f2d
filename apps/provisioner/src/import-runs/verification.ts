import { createHash } from 'node:crypto';
import { forEachConcurrently } from '../concurrency/for-each-concurrently.js';
import type { Difference } from '../fixity/differences.js';
import type { FileChecker } from '../fixity/file-checker.js';
import { recordBatches } from '../fixity/stored-list.js';
import type { Subject } from '../model/identifier.js';
import type { Commit, FileRecord } from '../model/commit.js';
import { fileListFile, manifestOf } from '../model/layout.js';
import { StorageFailure } from '../model/storage-failure.js';
import type { Storage } from '../model/storage.js';
import { ProblemList } from '../model/problem-list.js';
import type { FailureCode } from '../model/failure-code.js';
import { codeOfErrno, ImportFailure } from '../model/failure.js';
import type { FileFailure } from '../model/failure-code.js';
import type { ManifestAlgorithm } from '../settings/manifest-algorithms.js';
import { resultOf, type ImportResult } from '../model/import-record.js';
import type { ProgressMeter } from './progress-meter.js';

/** The result of a verification with the differences that it found. */
export interface VerificationReport {
  readonly result: ImportResult;
  readonly failures: ProblemList<FileFailure>;
}

/**
 * A verification: reads every file of an imported dataset and compares it with the published list. It finds every
 * missing, extra and differing file, and changes nothing.
 *
 * The list is read once. Of its entries only their paths stay in memory, in order to find the unlisted files.
 */
export class Verification {
  private readonly failures = new ProblemList<FileFailure>();
  /** The listed paths. Paths of folders end with a slash. */
  private readonly listed = new Set<string>();

  constructor(
    private readonly storage: Storage,
    private readonly subject: Subject,
    private readonly meter: ProgressMeter,
    private readonly checker: FileChecker,
  ) {}

  /** @throws ImportFailure if the dataset is not imported, StorageFailure, or the reason of the signal if it is aborted */
  async run(signal: AbortSignal): Promise<VerificationReport> {
    const commit = await this.commit();
    this.meter.phase = 'verifying';
    this.meter.filesTotal = commit.content.files;
    this.meter.bytesTotal = commit.content.bytes;
    if (await this.checkList(commit, signal)) await this.findUnlisted(signal);
    await this.checkManifests(commit, signal);
    // If the dataset was withdrawn during the check, its missing files are no differences.
    if ((await this.commit()).import_id !== commit.import_id) throw this.notImported();
    return { failures: this.failures, result: resultOf(commit, this.storage.pathOf(this.subject)) };
  }

  private async commit(): Promise<Commit> {
    const commit = await this.storage.findCommit(this.subject);
    if (!commit) throw this.notImported();
    return commit;
  }

  private notImported(): ImportFailure {
    return new ImportFailure('not_imported', `${this.subject.id} is not imported.`);
  }

  /**
   * Checks the files of the list and the list itself, because a change of a file may come with a change of its line.
   *
   * @returns false if there is no list
   */
  private async checkList({ content }: Commit, signal: AbortSignal): Promise<boolean> {
    const digest = createHash('sha256');
    const batches = recordBatches(this.storage.openList(this.subject, 'ndjson'), digest);
    const abort = (): void => {
      this.meter.abort();
    };
    try {
      await forEachConcurrently(batches, this.checker.capacity, (batch) => this.check(batch, signal), abort);
    } catch (error) {
      signal.throwIfAborted();
      if (!isAbsence(error)) throw error;
      this.addFailure('list.changed', fileListFile, 'is missing.');
      return false;
    }
    if (digest.digest('hex') !== content.list_sha256) {
      this.addFailure('list.changed', fileListFile, 'differs from the published list.');
    }
    return true;
  }

  /** Checks the manifests, each of which is the list in the form of `sha256sum -c` or its siblings. */
  private async checkManifests({ content }: Commit, signal: AbortSignal): Promise<void> {
    const { manifest_sha256, manifests } = content;
    for (const [name, published] of Object.entries({ sha256: manifest_sha256, ...manifests })) {
      const algorithm = name as ManifestAlgorithm;
      try {
        const found = await this.storage.digestOfManifest(this.subject, algorithm, signal);
        if (found === published) continue;
        this.addFailure('list.changed', manifestOf(algorithm), 'differs from the published manifest.');
      } catch (error) {
        if (!isAbsence(error)) throw error;
        this.addFailure('list.changed', manifestOf(algorithm), 'is missing.');
      }
    }
  }

  private async check(batch: readonly FileRecord[], signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const group = { files: batch.filter(({ type }) => type === 'file') };
    this.meter.begin(group);
    for (const { path, type } of batch) this.listed.add(type === 'directory' ? `${path}/` : path);
    const differences = await this.checker.check(batch, this.meter.counters);
    signal.throwIfAborted();
    for (const [index, { path }] of batch.entries()) {
      for (const difference of differences[index] ?? [])
        this.addFailure(codeOf(difference), path, difference.description);
    }
    this.meter.end(group);
    this.meter.filesDone += group.files.length;
  }

  private async findUnlisted(signal: AbortSignal): Promise<void> {
    for await (const { path, type } of this.storage.entriesOf(this.subject)) {
      signal.throwIfAborted();
      if (this.listed.has(path)) continue;
      const wasFolder = this.listed.has(`${path}/`);
      if (!wasFolder) this.addFailure('file.unlisted', path, 'is not in the list of imported files.');
      else if (type !== 'directory') this.addFailure('file.special', path, 'was imported as a folder.');
    }
  }

  private addFailure(code: FailureCode, path: string, difference: string): void {
    this.failures.add({ code, path, message: `${path} ${difference}` });
  }
}

function isAbsence(error: unknown): boolean {
  return (error instanceof StorageFailure ? error.errno : (error as NodeJS.ErrnoException).code) === 'ENOENT';
}

function codeOf({ code, errno }: Difference): FailureCode {
  return code ?? codeOfErrno(errno, 'storage');
}

/** Returns the failure of a verification that found differences. */
export function failureOfDifferences({ count, named }: ProblemList<FileFailure>): ImportFailure {
  const [first] = named;
  const listed = named.length < count ? ` The import lists ${String(named.length)} of them.` : '';
  const message = `${String(count)} files differ from the imported files.${listed}`;
  return new ImportFailure(first?.code ?? 'internal', message, named);
}
