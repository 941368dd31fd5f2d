import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CannotStartError } from './cannot-start.error.ts';
import { type Lock, tryLock } from './lock.ts';

/** The folder that holds all state of a system. To start from scratch, stop the system and remove the folder. */
export class DataFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** The folder of the embedded Postgres, or a symbolic link to a folder that its account can enter. */
  get postgres(): string {
    return join(this.path, 'postgres');
  }

  /** The folder of the sample deliveries. */
  get source(): string {
    return join(this.path, 'source');
  }

  get sourceUrl(): string {
    return pathToFileURL(this.source).href;
  }

  /** The folder of the imported data. */
  get storage(): string {
    return join(this.path, 'storage');
  }

  get storageUrl(): string {
    return pathToFileURL(this.storage).href;
  }

  /** The folder of process ids and inner ports. */
  get run(): string {
    return join(this.path, 'run');
  }

  /** The file of the sample's API keys. */
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
 * Creates the folder if it is missing, and locks it for this process.
 *
 * @throws CannotStartError if the folder cannot be written, or another system runs on it
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
    throw new CannotStartError(`The data folder ${path} cannot be used: ${reasonOf(cause)}. ${remedyOf(cause)}`, cause);
  }
  if (!lock) {
    throw new CannotStartError(
      `Another system runs on the data folder ${path}. Stop it, or set DATA_DIR to another folder.`,
    );
  }
  return { folder, lock };
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this account has no permission to write there',
  EPERM: 'this account has no permission to write there',
  EROFS: 'its file system is read-only',
  EEXIST: 'a file exists where a folder must be',
  ENOTDIR: 'a part of the path is a file',
  ENOENT: 'a part of the path cannot be created',
  ENOSPC: 'the disk is full',
  ERR_SQLITE_ERROR: 'its file run/lock cannot be written',
};

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ''] ?? message;
}

function remedyOf(error: unknown): string {
  const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
  return isFull
    ? 'Free some space, or set DATA_DIR to another folder.'
    : 'Set DATA_DIR to a folder that can be written.';
}
