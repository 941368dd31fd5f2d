import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CannotStartError } from './cannot-start.error.ts';
import { type Lock, tryLock } from './lock.ts';

/** The folder that holds everything a system keeps. Removing it, when the system is stopped, starts anew. */
export class DataFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** The embedded Postgres, or a symbolic link to where its account can reach it. */
  get postgres(): string {
    return join(this.path, 'postgres');
  }

  /** Where the sample deliveries are. */
  get source(): string {
    return join(this.path, 'source');
  }

  get sourceUrl(): string {
    return pathToFileURL(this.source).href;
  }

  /** What was imported. */
  get storage(): string {
    return join(this.path, 'storage');
  }

  get storageUrl(): string {
    return pathToFileURL(this.storage).href;
  }

  /** Process ids and inner ports. */
  get run(): string {
    return join(this.path, 'run');
  }

  /** The keys to try the system with. */
  get keysFile(): string {
    return this.fileOf('keys.json');
  }

  logOf(name: string): string {
    return join(this.path, 'log', `${name}.log`);
  }

  fileOf(name: string): string {
    return join(this.path, name);
  }
}

/**
 * Makes the folder usable and takes it for this process alone.
 *
 * @throws CannotStartError when it cannot be written to, or another system runs on it
 */
export async function openDataFolder(path: string): Promise<{ folder: DataFolder; lock: Lock }> {
  const folder = new DataFolder(path);
  let lock: Lock | undefined;
  try {
    await mkdir(path, { recursive: true });
    for (const name of ['run', 'log']) await mkdir(join(path, name), { recursive: true, mode: 0o700 });
    for (const name of ['source', 'storage']) await mkdir(join(path, name), { recursive: true });
    lock = tryLock(join(folder.run, 'lock'));
  } catch (cause) {
    throw new CannotStartError(`The data folder ${path} cannot be used: ${reasonOf(cause)}.`, cause);
  }
  if (!lock) throw new CannotStartError(`Another system is running on the data folder ${path}; stop it first.`);
  return { folder, lock };
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'its permissions do not let us write there',
  EPERM: 'its permissions do not let us write there',
  EROFS: 'its file system is read-only',
  EEXIST: 'a file stands where a folder must be',
  ENOTDIR: 'a part of the path is a file',
  ENOENT: 'a part of the path cannot be made',
  ENOSPC: 'the disk is full',
};

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ''] ?? message;
}
