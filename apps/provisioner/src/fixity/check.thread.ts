/** A thread that reads stored files again. `startThread` states the rules for its modules. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, type Stats } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { counterIndex } from '../copy/copy-messages.js';
import { Digests } from '../copy/digests.js';
import { CopyError, pump } from '../copy/pump.js';
import { RateLimiter } from '../copy/rate-limit.js';
import { SourceFolder } from '../copy/source-folder.js';
import { differencesOf, type ActualEntry, type Difference, type ExpectedEntry } from './differences.js';
import type { CheckBatch } from './file-checker.js';

const permissionBits = 0o7777;

/** With these flags, a link fails with ELOOP, and a pipe does not block. */
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Error codes for an entry that does not exist, including an entry below something that is not a folder. */
const absent = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

const limiter = new RateLimiter();

/** The check of one batch. */
class Check {
  private readonly batch: CheckBatch;
  private readonly folder: SourceFolder;

  constructor(batch: CheckBatch, folder: SourceFolder) {
    this.batch = batch;
    this.folder = folder;
  }

  /** Inspects the stored entry. @returns null if the entry does not exist */
  async inspect(expected: ExpectedEntry): Promise<ActualEntry | null> {
    try {
      const path = this.folder.pathTo(expected.path);
      try {
        return expected.type === 'file' ? await this.read(path, expected.size) : inspectUnopened(path);
      } catch (error) {
        if (this.isAborted()) return null;
        // The entry may have been replaced or removed in the meantime.
        return { ...inspectUnopened(path), errno: errnoOf(error) };
      }
    } catch (error) {
      const errno = errnoOf(error);
      return absent.has(errno) ? null : { errno };
    }
  }

  isAborted(): boolean {
    return Atomics.load(this.batch.counters, counterIndex.aborted) !== 0n;
  }

  /** Opens an entry, and computes its digest if the entry is a file of the expected size. */
  private async read(path: string, size: number): Promise<ActualEntry> {
    const input = openSync(path, readFlags);
    try {
      const actual = entryOf(fstatSync(input));
      const isComparable = actual.type === 'file' && actual.size === size;
      return isComparable ? { ...actual, sha256: await this.digest(input, size) } : actual;
    } finally {
      closeSync(input);
    }
  }

  private async digest(input: number, size: number): Promise<string | undefined> {
    const onBytes = (count: number): void => {
      this.countRead(count);
    };
    const digests = new Digests();
    await pump({ input, output: null, size, digests, onBytes });
    return digests.hex()['sha256'];
  }

  /** Counts read bytes and waits for the rate limit. */
  private countRead(bytes: number): void {
    Atomics.add(this.batch.counters, counterIndex.bytes, BigInt(bytes));
    limiter.acquireSync(this.batch.limit, bytes, () => {
      if (this.isAborted()) throw new CopyError('aborted', new Error('The check was stopped.'));
    });
  }
}

/** Returns the operating system's error code. @throws the error itself if it has none */
function errnoOf(error: unknown): string {
  const errno = error instanceof CopyError ? error.failure.errno : (error as NodeJS.ErrnoException).code;
  if (errno === undefined) throw error;
  return errno;
}

/** Inspects an entry without opening it. */
function inspectUnopened(path: string): ActualEntry {
  const actual = entryOf(lstatSync(path));
  return actual.type === 'symlink' ? { ...actual, target: readlinkSync(path) } : actual;
}

function entryOf(stats: Stats): ActualEntry {
  return { type: typeOf(stats), size: stats.size, mode: stats.mode & permissionBits };
}

function typeOf(stats: Stats): ActualEntry['type'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'symlink' : 'other';
}

async function checkBatch(batch: CheckBatch): Promise<readonly (readonly Difference[])[]> {
  const { entries } = batch;
  let folder: SourceFolder;
  try {
    folder = new SourceFolder({ root: batch.folder, folders: [] });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return entries.map((expected) => differencesOf(expected, absent.has(code) ? null : { errno: code }));
  }
  try {
    const check = new Check(batch, folder);
    const differences: (readonly Difference[])[] = [];
    for (const expected of entries) {
      if (check.isAborted()) break;
      differences.push(differencesOf(expected, await check.inspect(expected)));
    }
    return differences;
  } finally {
    folder.close();
  }
}

parentPort?.on('message', (batch: CheckBatch) => {
  void checkBatch(batch).then((differences) => parentPort?.postMessage(differences));
});
