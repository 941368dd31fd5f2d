/**
 * A thread that reads stored files again. Its modules import nothing of ours but types, use only syntax that Node can
 * erase, and are imported by their own kind of name, so that they run from the build and from the sources alike.
 */
import { hash as digestOf } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, type Stats } from 'node:fs';
import { extname } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type * as ColumnsOfRows from '../concurrency/columns.js';
import type * as DigestClass from '../copy/digests.js';
import type * as Pumps from '../copy/pump.js';
import type * as RateLimits from '../copy/rate-limit.js';
import type * as SourceFolders from '../copy/source-folder.js';
import type { Reply } from '../concurrency/thread-pool.js';
import type * as Differences from './differences.js';
import type { CheckBatch } from './file-checker.js';

const module = async <T>(name: string): Promise<T> =>
  (await import(new URL(`../${name}${extname(import.meta.url)}`, import.meta.url).href)) as T;

const { rowsOf } = await module<typeof ColumnsOfRows>('concurrency/columns');
const { Digests } = await module<typeof DigestClass>('copy/digests');
const { CopyError, pump } = await module<typeof Pumps>('copy/pump');
const { RateLimiter } = await module<typeof RateLimits>('copy/rate-limit');
const { SourceFolder } = await module<typeof SourceFolders>('copy/source-folder');
const { differencesOf } = await module<typeof Differences>('fixity/differences');

type FoundEntry = Differences.ActualEntry;

/** Files up to this size fit one buffer and are read with synchronous calls. */
const smallBytes = 1024 * 1024;

const abortedPlace = 0;
const bytesPlace = 1;

const permissionBits = 0o7777;

/** Links fail with ELOOP, pipes never block. */
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What the operating system says where there is nothing, also because what should be a folder is none. */
const absent = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

const buffer = Buffer.allocUnsafeSlow(smallBytes);

const turns = new RateLimiter();

/** Looks at the entries of one batch. */
class Check {
  private readonly batch: CheckBatch;
  private readonly folder: SourceFolders.SourceFolder;

  constructor(batch: CheckBatch, folder: SourceFolders.SourceFolder) {
    this.batch = batch;
    this.folder = folder;
  }

  /** @returns null where nothing stands */
  async find(listed: Differences.ExpectedEntry): Promise<FoundEntry | null> {
    try {
      const place = this.folder.pathTo(listed.path);
      try {
        return listed.type === 'file' ? await this.read(place, listed.size) : look(place);
      } catch (error) {
        if (this.isAborted()) return null;
        // What cannot be read may be something else by now, or gone.
        return { ...look(place), errno: errnoOf(error) };
      }
    } catch (error) {
      const errno = errnoOf(error);
      return absent.has(errno) ? null : { errno };
    }
  }

  isAborted(): boolean {
    return Atomics.load(this.batch.counters, abortedPlace) !== 0n;
  }

  /** Whatever can be opened, and its digest if it is a file of the wanted size. */
  private async read(place: string, size: number): Promise<FoundEntry> {
    const input = openSync(place, readFlags);
    try {
      const found = entryOf(fstatSync(input));
      const isComparable = found.type === 'file' && found.size === size;
      return isComparable ? { ...found, sha256: await this.digest(input, size) } : found;
    } finally {
      closeSync(input);
    }
  }

  private async digest(input: number, size: number): Promise<string | undefined> {
    if (size <= smallBytes) return this.digestSmall(input, size);
    const onBytes = (count: number): void => {
      this.takeTurn(count);
    };
    const digests = new Digests(['sha256']);
    await pump({ input, output: null, digests, keepHoles: false, onBytes });
    return digests.hex()['sha256'];
  }

  private digestSmall(input: number, size: number): string {
    let length = 0;
    for (let count = -1; count !== 0 && length < size; length += count) {
      count = readSync(input, buffer, length, size - length, null);
    }
    this.takeTurn(length);
    return digestOf('sha256', buffer.subarray(0, length), 'hex');
  }

  /** Counts bytes that were read, and waits for as long as the rate limit wants. */
  private takeTurn(bytes: number): void {
    Atomics.add(this.batch.counters, bytesPlace, BigInt(bytes));
    turns.acquireSync(this.batch.limit, bytes, () => {
      if (this.isAborted()) throw new CopyError('aborted', new Error('The check was stopped.'));
    });
  }
}

/** The operating system's word. @throws an error that is not the system's, as it came */
function errnoOf(error: unknown): string {
  const errno = error instanceof CopyError ? error.failure.errno : (error as NodeJS.ErrnoException).code;
  if (errno === undefined) throw error;
  return errno;
}

/** What stands in a place that is not opened. */
function look(place: string): FoundEntry {
  const found = entryOf(lstatSync(place));
  return found.type === 'symlink' ? { ...found, target: readlinkSync(place) } : found;
}

function entryOf(stats: Stats): FoundEntry {
  return { type: typeOf(stats), size: stats.size, mode: stats.mode & permissionBits };
}

function typeOf(stats: Stats): FoundEntry['type'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'symlink' : 'other';
}

async function checkBatch(batch: CheckBatch): Promise<readonly (readonly Differences.Difference[])[]> {
  const entries = rowsOf(batch.entries);
  let folder: SourceFolders.SourceFolder;
  try {
    folder = new SourceFolder({ root: batch.folder, folders: [] });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return entries.map((listed) => differencesOf(listed, absent.has(code) ? null : { errno: code }));
  }
  try {
    const check = new Check(batch, folder);
    const differences: (readonly Differences.Difference[])[] = [];
    for (const listed of entries) {
      if (check.isAborted()) break;
      differences.push(differencesOf(listed, await check.find(listed)));
    }
    return differences;
  } finally {
    folder.close();
  }
}

/** One batch after the other: the buffers are the thread's. */
let last: Promise<void> = Promise.resolve();

parentPort?.on('message', (batch: CheckBatch) => {
  last = last.then(async () => {
    const outcomes = await checkBatch(batch);
    parentPort?.postMessage({ id: batch.id, outcomes } satisfies Reply<readonly Differences.Difference[]>);
  });
});
