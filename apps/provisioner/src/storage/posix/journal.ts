import { randomUUID } from 'node:crypto';
import { appendFile, open, readFile } from 'node:fs/promises';
import { parseLine } from '../lists.js';
import { individualFlushBytes, type FileBatch, type FileDigests } from '../../model/workspace.js';
import { manifestDigestBytes, type ManifestAlgorithm } from '../../settings/manifest-algorithms.js';
import { guarded, ignoring } from './durable-file.js';

const bootIdFile = '/proc/sys/kernel/random/boot_id';
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
  /** The concatenated digests by further algorithms. Absent in journals of earlier releases, and if there is none. */
  readonly others?: Readonly<Partial<Record<ManifestAlgorithm, string>>>;
}

/** A batch of the journal in memory. */
interface Loaded {
  readonly digests: ReadonlyMap<string, Buffer>;
  readonly isDurable: boolean;
}

/** The entry of a batch in the journal. */
export interface JournalEntry {
  /** The digests of the files, in the order of the batch. */
  readonly digests: readonly FileDigests[];
  /** False if the machine may have stopped before the bytes reached the disk. The files must then be read and compared. */
  readonly isDurable: boolean;
}

/**
 * A journal of the finished batches of an attempt, one line for each batch. Each line is appended by path, so an attempt
 * whose folder was taken over cannot write to its successor's journal. Lines that arrive during a write are written
 * together.
 */
export class Journal {
  private readonly entries = new Map<string, Loaded>();
  private waiting = '';
  private last: Promise<void> = Promise.resolve();

  private constructor(
    private readonly path: string,
    private readonly boot: string,
  ) {}

  /**
   * Reads the journal of earlier attempts. A truncated line is ignored.
   *
   * @param trusted `flushed` if a flush may have failed: only files that were flushed individually count. `durable` if all
   *   files of the journal were flushed after they were recorded.
   */
  static async open(path: string, trusted: 'all' | 'flushed' | 'durable'): Promise<Journal> {
    const journal = new Journal(path, await bootId());
    const file = await ignoring(['ENOENT'], open(path));
    for await (const text of file?.readLines() ?? []) {
      const line = parseLine(text) as Line | null;
      if (line && trusted === 'durable') journal.load({ ...line, flushed: true });
      else if (line?.flushed === true || (line && trusted === 'all')) journal.load(line);
    }
    return journal;
  }

  /** Whether no entry is in memory. */
  get isEmpty(): boolean {
    return this.entries.size === 0;
  }

  /** Returns whether an entry of a batch is in memory. */
  has({ key }: FileBatch): boolean {
    return this.entries.has(key);
  }

  /**
   * Removes the entry of a batch from memory.
   *
   * @param further the algorithms that are needed in addition to SHA-256
   * @returns the entry, or null if there is none for these files and algorithms
   */
  take({ key, files }: FileBatch, further: readonly ManifestAlgorithm[] = []): JournalEntry | null {
    const entry = this.entries.get(key);
    this.entries.delete(key);
    if (!entry) return null;
    const bytesOf = (algorithm: ManifestAlgorithm): Buffer | undefined => entry.digests.get(algorithm);
    const needed = ['sha256', ...further] as const;
    const isWhole = needed.every((each) => bytesOf(each)?.length === files.length * manifestDigestBytes[each]);
    if (!isWhole) return null;
    const digestOf = (algorithm: ManifestAlgorithm, index: number): string => {
      const length = manifestDigestBytes[algorithm];
      return bytesOf(algorithm)?.toString('hex', index * length, (index + 1) * length) ?? '';
    };
    const digests = files.map((_, index) => ({
      ...Object.fromEntries(further.map((algorithm) => [algorithm, digestOf(algorithm, index)])),
      sha256: digestOf('sha256', index),
    }));
    return { digests, isDurable: entry.isDurable };
  }

  /** Records a batch, so that the record survives this process. */
  record({ key, files }: FileBatch, digests: readonly FileDigests[]): Promise<void> {
    const flushed = files.every(({ size }) => size >= individualFlushBytes);
    const { sha256, ...others } = joined(digests);
    const hasOthers = Object.keys(others).length > 0;
    const line: Line = { batch: key, boot: this.boot, flushed, sha256, ...(hasOthers && { others }) };
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

  private load({ batch, boot, flushed, sha256, others = {} }: Line): void {
    const digests = new Map(
      Object.entries({ sha256, ...others }).map(([name, hex]) => [name, Buffer.from(hex, 'hex')]),
    );
    this.entries.set(batch, { digests, isDurable: flushed || boot === this.boot });
  }
}

/** Returns the digests of all files as one text for each algorithm. */
function joined(digests: readonly FileDigests[]): FileDigests {
  const algorithms = Object.keys(digests[0] ?? {}) as ManifestAlgorithm[];
  const texts = algorithms.map((algorithm) => [algorithm, digests.map((each) => each[algorithm] ?? '').join('')]);
  return { sha256: '', ...(Object.fromEntries(texts) as Partial<FileDigests>) };
}

/** Returns an id that changes with each boot of the machine, or with each process if the system reports none. */
async function bootId(): Promise<string> {
  return (await ignoring(['ENOENT'], readFile(bootIdFile, 'utf8')))?.trim() ?? randomUUID();
}
