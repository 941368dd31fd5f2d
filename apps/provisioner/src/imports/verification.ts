import { createHash, type Hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { counterPlaces } from '../copy/copy-messages.js';
import type { ReadPace } from '../fixity/read-pace.js';
import type { Commit, FileRecord } from '../storage/commit.js';
import type { Storage, StoredEntry } from '../storage/storage.js';
import { codeOfErrno, ImportFailure, type FileFailure } from './failure.js';
import type { ImportResult } from './import-record.js';
import type { ProgressMeter } from './progress-meter.js';

/** Files read at once: where there are many small ones, opening them takes the time. */
const filesAtOnce = 4;

/** What a fixity check found. */
export interface VerificationReport {
  readonly result: ImportResult;
  readonly failures: readonly FileFailure[];
}

/**
 * One fixity check: reads every file of an imported dataset again and compares it with the list that was published with
 * it. Every missing, extra and differing file is found; nothing is changed.
 */
export class Verification {
  private readonly subject: { readonly kind: 'dataset'; readonly id: string };
  private readonly failures: FileFailure[] = [];
  private readonly unlisted = new Map<string, StoredEntry>();

  constructor(
    private readonly storage: Storage,
    id: string,
    private readonly meter: ProgressMeter,
    private readonly pace: ReadPace,
  ) {
    this.subject = { kind: 'dataset', id };
  }

  /** @throws ImportFailure when it is not imported, the reason of the signal, or StorageFailure */
  async run(signal: AbortSignal): Promise<VerificationReport> {
    const commit = await this.commit();
    this.meter.phase = 'verifying';
    this.meter.filesTotal = commit.content.files;
    this.meter.bytesTotal = commit.content.bytes;
    for await (const entry of this.storage.entriesOf(this.subject)) {
      signal.throwIfAborted();
      this.unlisted.set(entry.path, entry);
    }
    await this.compareAll(commit, signal);
    for (const path of this.unlisted.keys()) this.note('file.unlisted', path, 'was not imported with the dataset.');
    // A dataset that was withdrawn meanwhile lacks every file, and nothing is wrong with it.
    if ((await this.commit()).import_id !== commit.import_id) throw this.notImported();
    const { files, bytes, manifest_sha256 } = commit.content;
    const failures = this.failures.sort((one, other) => (one.path < other.path ? -1 : 1));
    return { failures, result: { path: this.storage.pathOf(this.subject), files, bytes, manifest_sha256 } };
  }

  private async commit(): Promise<Commit> {
    const commit = await this.storage.findCommit(this.subject);
    if (!commit) throw this.notImported();
    return commit;
  }

  private notImported(): ImportFailure {
    return new ImportFailure('not_imported', `${this.subject.id} is not imported, or not any more.`);
  }

  /** The list itself is compared too: whoever can change a file could have changed its line as well. */
  private async compareAll({ content }: Commit, signal: AbortSignal): Promise<void> {
    const digest = createHash('sha256');
    const list = this.storage.openList(this.subject, 'ndjson');
    const running = new Set<Promise<void>>();
    for await (const line of linesOf(list, digest)) {
      signal.throwIfAborted();
      const comparing = this.compare(JSON.parse(line) as FileRecord, signal).finally(() => running.delete(comparing));
      comparing.catch(() => undefined);
      running.add(comparing);
      if (running.size >= filesAtOnce) await Promise.race(running);
    }
    await Promise.all(running);
    if (digest.digest('hex') !== content.list_sha256) {
      this.note('list.changed', '.import/files.ndjson', 'is not the list that was published.');
    }
  }

  private async compare(record: FileRecord, signal: AbortSignal): Promise<void> {
    const { path, type, size } = record;
    const entry = this.unlisted.get(path);
    this.unlisted.delete(path);
    if (type === 'directory') {
      if (entry && entry.type !== 'directory') this.note('file.special', path, 'was a folder.');
      else if (entry?.oddMode !== undefined) this.noteMode(path, entry.oddMode);
      return;
    }
    if (type === 'symlink') {
      const isSame = entry?.type === type && entry.target === record.target;
      if (!isSame) this.note('file.symlink', path, `was a link to ${String(record.target)}.`);
      return;
    }
    if (!entry) this.note('file.missing', path, 'was imported and is not there.');
    else if (entry.type !== 'file') this.note('file.special', path, 'was a file and is none.');
    else {
      if (entry.oddMode !== undefined) this.noteMode(path, entry.oddMode);
      if (entry.size === size) await this.compareContent(record, signal);
      else this.note('size.mismatch', path, `has ${String(entry.size)} bytes; imported were ${String(size)}.`);
    }
    this.meter.filesDone += 1;
  }

  private async compareContent({ path, sha256 }: FileRecord, signal: AbortSignal): Promise<void> {
    try {
      const found = await this.digestOf(path, signal);
      if (found !== sha256)
        this.note('checksum.mismatch', path, `has SHA-256 ${found}; imported was ${String(sha256)}.`);
    } catch (error) {
      signal.throwIfAborted();
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (code === undefined || syscall === undefined) throw error;
      // A disk that cannot give back one file is what is looked for; the others are still compared.
      if (code === 'ENOENT') this.note('file.missing', path, 'was imported and is not there.');
      else this.note(codeOfErrno(code, 'storage'), path, `cannot be read: ${code}.`);
    }
  }

  private async digestOf(path: string, signal: AbortSignal): Promise<string> {
    const hash = createHash('sha256');
    const { meter, pace } = this;
    await pipeline(
      this.storage.openFile(this.subject, path),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) {
          hash.update(chunk);
          Atomics.add(meter.counters, counterPlaces.bytes, BigInt(chunk.length));
          await pace.take(chunk.length, signal);
        }
      },
      { signal },
    );
    return hash.digest('hex');
  }

  private noteMode(path: string, mode: string): void {
    this.note('mode.changed', path, `has the permissions ${mode}, which no import gives.`);
  }

  private note(code: FileFailure['code'], path: string, what: string): void {
    this.failures.push({ code, path, message: `${path} ${what}` });
  }
}

/** The lines of a list, each ending in a line break, while its digest is made. */
async function* linesOf(list: AsyncIterable<Buffer>, digest: Hash): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of list) {
    digest.update(bytes);
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
