import { randomUUID } from 'node:crypto';
import { appendFile, open, readFile } from 'node:fs/promises';
import { parseLine } from '../lists.js';
import { individualFlushBytes, type FileBatch } from '../../model/storage.js';
import { guarded, ignoring } from './durable-file.js';

const bootIdFile = '/proc/sys/kernel/random/boot_id';
const digestBytes = 32;
const journalMode = 0o640;

/** A line of the journal: one batch of files that were copied completely. */
interface Line {
  readonly batch: string;
  /** The boot id of the machine when the files were copied. Until a reboot, at least the kernel has the bytes. */
  readonly boot: string;
  /** Whether the files were flushed before the line was written. */
  readonly flushed: boolean;
  /** The concatenated hexadecimal SHA-256 digests of the files. */
  readonly sha256: string;
}

/** The entry of a batch in the journal. */
export interface JournalEntry {
  /** Hexadecimal digests, in the order of the batch. */
  readonly sha256: readonly string[];
  /** False if the machine may have stopped before the bytes reached the disk. The files must then be read and compared. */
  readonly isDurable: boolean;
}

/**
 * A journal of the finished batches of an attempt, one line for each batch. Each line is appended by path, so an attempt
 * whose folder was taken over cannot write to its successor's journal. Lines that arrive during a write are written
 * together.
 */
export class Journal {
  private readonly entries = new Map<string, { readonly digests: Buffer; readonly isDurable: boolean }>();
  private waiting = '';
  private last: Promise<void> = Promise.resolve();

  private constructor(
    private readonly path: string,
    private readonly boot: string,
  ) {}

  /**
   * Reads the journal of earlier attempts. A truncated line is ignored.
   *
   * @param trusted `flushed` if a flush may have failed: only files that were flushed individually count
   */
  static async open(path: string, trusted: 'all' | 'flushed'): Promise<Journal> {
    const journal = new Journal(path, await bootId());
    const file = await ignoring(['ENOENT'], open(path));
    for await (const text of file?.readLines() ?? []) {
      const line = parseLine(text) as Line | null;
      if (line?.flushed === true || (line && trusted === 'all')) journal.load(line);
    }
    return journal;
  }

  /** Removes the entry of a batch from memory. @returns the entry, or null if there is none for these files */
  take({ key, files }: FileBatch): JournalEntry | null {
    const entry = this.entries.get(key);
    this.entries.delete(key);
    if (entry?.digests.length !== files.length * digestBytes) return null;
    const { digests, isDurable } = entry;
    const digestAt = (index: number): string => digests.toString('hex', index * digestBytes, (index + 1) * digestBytes);
    return { sha256: files.map((_, index) => digestAt(index)), isDurable };
  }

  /** Records a batch, so that the record survives this process. */
  record({ key, files }: FileBatch, sha256: readonly string[]): Promise<void> {
    const flushed = files.every(({ size }) => size >= individualFlushBytes);
    const line: Line = { batch: key, boot: this.boot, flushed, sha256: sha256.join('') };
    const isFirst = this.waiting === '';
    this.waiting += `${JSON.stringify(line)}\n`;
    if (isFirst) this.last = this.last.catch(() => undefined).then(() => this.append());
    return this.last;
  }

  private append(): Promise<void> {
    // The leading line break separates these lines from a line that a crash truncated.
    const lines = `\n${this.waiting}`;
    this.waiting = '';
    return guarded(() => appendFile(this.path, lines, { mode: journalMode }));
  }

  private load({ batch, boot, flushed, sha256 }: Line): void {
    this.entries.set(batch, { digests: Buffer.from(sha256, 'hex'), isDurable: flushed || boot === this.boot });
  }
}

/** Returns an id that changes with each boot of the machine, or with each process if the system reports none. */
async function bootId(): Promise<string> {
  return (await ignoring(['ENOENT'], readFile(bootIdFile, 'utf8')))?.trim() ?? randomUUID();
}
