import { close, fsync, futimes, open, write } from 'node:fs';
import { promisify } from 'node:util';
import { StorageFailure } from '../model/storage-failure.js';
import { individualFlushBytes, type StoredFile, type StreamTarget } from '../model/workspace.js';
import { newFileFlags, openNewFile, publishedFileMode } from './new-file.js';

const openAsync = promisify(open);
const writeAsync = promisify(write);
const setTimes = promisify(futimes);
const flush = promisify(fsync);
const closeAsync = promisify(close);

/** The staging folder of an attempt as a target for files whose bytes this process receives from a store. */
export class FolderTarget implements StreamTarget {
  constructor(private readonly folder: string) {}

  async write({ path, size, mtimeNs }: StoredFile, content: AsyncIterable<Buffer>): Promise<void> {
    const file = await onStorage(() => this.create(path));
    try {
      for await (const bytes of content) await onStorage(() => writeFully(file, bytes));
      const seconds = Number(mtimeNs) / 1e9;
      await onStorage(() => setTimes(file, seconds, seconds));
      if (size >= individualFlushBytes) await onStorage(() => flush(file));
    } finally {
      await onStorage(() => closeAsync(file));
    }
  }

  /** Creates a file. If that fails, the second try creates the folders and removes the file of an earlier attempt. */
  private create(path: string): Promise<number> {
    return openAsync(`${this.folder}/${path}`, newFileFlags, publishedFileMode).catch(() =>
      openNewFile(this.folder, path),
    );
  }
}

async function writeFully(file: number, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await writeAsync(file, bytes, done, bytes.length - done)).bytesWritten;
}

/** Runs a call to the storage. @throws StorageFailure instead of an error of the operating system */
async function onStorage<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new StorageFailure(message, code, error);
  }
}
