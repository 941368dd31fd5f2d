import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StorageFailure } from '../../model/storage-failure.js';

const run = promisify(execFile);

/** A file system without data, which is flushed at once. */
const emptyFileSystem = '/proc';

/** Flushes the file system that contains a folder. Node can flush only single files, so this runs the program `sync`. */
export async function flushFileSystem(folder: string): Promise<void> {
  await run('sync', ['-f', folder]);
}

/** Checks that file systems can be flushed. @throws StorageFailure if `sync` is missing or cannot flush one file system */
export async function checkFlush(): Promise<void> {
  const isPossible = await flushFileSystem(emptyFileSystem).then(
    () => true,
    () => false,
  );
  if (isPossible) return;
  const message =
    'The program sync is missing or has no option -f; install coreutils on the machine of the provisioner.';
  throw new StorageFailure(message, undefined);
}
