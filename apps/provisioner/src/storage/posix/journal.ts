import { randomUUID } from 'node:crypto';
import { appendFile, open, readFile } from 'node:fs/promises';
import { parseLine } from '../lists.js';
import { individualFlushBytes, type FileBatch } from '../../model/storage.js';
import { guarded, ignoring } from './durable-file.js';

const bootIdFile = '/proc/sys/kernel/random/boot_id';
const digestBytes = 32;
const journalMode = 0o640;

/** A line: one batch of files that were copied whole. */
interface Line {
  readonly batch: string;
  /** Since which start of the machine its bytes are at least in the kernel's hands. */
  readonly boot: string;
  /** Whether its bytes were flushed before the line was written. */
  readonly flushed: boolean;
  /** The SHA-256 of its files, hexadecimal, one after the other. */
  readonly sha256: string;
}

/** What a journal says of a batch. */
export interface JournalEntry {
  /** Hexadecimal, in the order of the batch. */
  readonly sha256: readonly string[];
  /** False when the machine may have stopped before the bytes reached the disk: they must be read to be believed. */
  readonly isDurable: boolean;
}

/**
 * What an attempt has finished, one line for each batch. The file is only ever appended to, by its path, so that an
 * attempt whose folder was taken over cannot write into its successor's. Lines that are asked for while one is being
 * written go together.
 */
export class Journal {
  private readonly entries = new Map<string, { readonly digests: Buffer; readonly isCertain: boolean }>();
  private waiting = '';
  private last: Promise<void> = Promise.resolve();

  private constructor(
    private readonly path: string,
    private readonly boot: string,
  ) {}

  /**
   * Reads what earlier attempts have noted; a line cut short by a crash says nothing.
   *
   * @param believed `flushed` where a flush may have failed: only what was flushed by itself counts
   */
  static async open(path: string, believed: 'noted' | 'flushed'): Promise<Journal> {
    const journal = new Journal(path, await bootId());
    const file = await ignoring(['ENOENT'], open(path));
    for await (const text of file?.readLines() ?? []) {
      const line = parseLine(text) as Line | null;
      if (line?.flushed === true || (line && believed === 'noted')) journal.remember(line);
    }
    return journal;
  }

  /** Takes what is noted of a batch out of memory. */
  take({ key, files }: FileBatch): JournalEntry | null {
    const entry = this.entries.get(key);
    this.entries.delete(key);
    if (entry?.digests.length !== files.length * digestBytes) return null;
    const { digests, isCertain } = entry;
    const digestAt = (index: number): string => digests.toString('hex', index * digestBytes, (index + 1) * digestBytes);
    return { sha256: files.map((_, index) => digestAt(index)), isDurable };
  }

  /** Notes a batch, so that it survives this process. */
  record({ key, files }: FileBatch, sha256: readonly string[]): Promise<void> {
    const flushed = files.every(({ size }) => size >= individualFlushBytes);
    const line: Line = { batch: key, boot: this.boot, flushed, sha256: sha256.join('') };
    const isFirst = this.waiting === '';
    this.waiting += `${JSON.stringify(line)}\n`;
    if (isFirst) this.last = this.last.catch(() => undefined).then(() => this.append());
    return this.last;
  }

  private append(): Promise<void> {
    // The line break comes first too, so that a line cut short by a crash does not spoil the next.
    const lines = `\n${this.waiting}`;
    this.waiting = '';
    return guarded(() => appendFile(this.path, lines, { mode: journalMode }));
  }

  private remember({ batch, boot, flushed, sha256 }: Line): void {
    this.entries.set(batch, { digests: Buffer.from(sha256, 'hex'), isCertain: flushed || boot === this.boot });
  }
}

/** Another text after each start of the machine; where it is not told, another for each process. */
async function bootId(): Promise<string> {
  return (await ignoring(['ENOENT'], readFile(bootIdFile, 'utf8')))?.trim() ?? randomUUID();
}
