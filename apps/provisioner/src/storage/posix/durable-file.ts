import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StorageFailure } from '../storage-failure.js';

/** The mode of folders that are ours and still being worked in. */
export const workFolderMode = 0o750;

/** How the names end of what is not whole yet. */
export const temporaryEnding = '.tmp';

const recordMode = 0o440;

/** Writes a small file so that it is there whole or not at all, and stays there when the power fails. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = await writeAside(path, text);
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** As `writeDurably`, for what may be lost when the power fails: progress that is written every second. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}${temporaryEnding}`;
  const file = await open(temporary, 'wx', 0o640);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

/**
 * Makes a small file unless one is there already.
 *
 * @returns whether it was made by this call; of several callers exactly one is told so
 */
export async function createExclusively(path: string, text: string): Promise<boolean> {
  const temporary = await writeAside(path, text);
  try {
    await link(temporary, path);
    await syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await unlink(temporary);
  }
}

async function writeAside(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: workFolderMode });
  const temporary = `${path}.${randomUUID()}${temporaryEnding}`;
  const file = await open(temporary, 'wx', recordMode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return temporary;
}

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Removes a file; says whether it was there. */
export async function removeFile(path: string): Promise<boolean> {
  return (
    (await ignoring(
      ['ENOENT'],
      unlink(path).then(() => true),
    )) ?? false
  );
}

/** Awaits a call and answers undefined where it fails with one of the given words. */
export async function ignoring<T>(errnos: readonly string[], call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isErrno(error, ...errnos)) return undefined;
    throw error;
  }
}

/** Whether an error is one of the operating system's with one of these words. */
export function isErrno(error: unknown, ...errnos: readonly string[]): boolean {
  return errnos.includes((error as NodeJS.ErrnoException | null)?.code ?? '');
}

/** Runs a call, and turns what the operating system says into a StorageFailure. */
export async function guarded<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { code, message, syscall } = error as NodeJS.ErrnoException;
    if (code !== undefined && syscall !== undefined) {
      throw new StorageFailure(`The storage does not answer as it should: ${message}`, code, error);
    }
    throw error;
  }
}
