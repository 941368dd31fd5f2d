import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StorageFailure } from '../../model/storage-failure.js';

/** The mode of folders that the service still writes to. */
export const workFolderMode = 0o750;

/** The mode of published files: read-only. The account's umask may remove more permissions. */
export const publishedFileMode = 0o440;

/** The mode of published folders: read-only. */
export const publishedFolderMode = 0o550;

/** The extension of incomplete files. */
export const temporaryEnding = '.tmp';

/** The extension of files that were set aside, after the file's name and a UUID. */
const asideEnding = `.aside${temporaryEnding}`;
const setAside = /^(.+)\.[0-9a-f-]{36}\.aside\.tmp$/;

const recordMode = 0o440;

/**
 * Writes a small file into an existing folder, atomically and durably.
 *
 * @param temporaryFolder the folder of the temporary file, on the same file system
 */
export async function writeDurably(path: string, text: string, temporaryFolder = dirname(path)): Promise<void> {
  const temporary = await writeTemporary(join(temporaryFolder, basename(path)), text, recordMode, true);
  await moveOver(temporary, path);
  await syncFolder(dirname(path));
}

/**
 * Writes a small file like `writeDurably`, but without a flush: for progress that is written every second. On a full
 * disk the file is overwritten in place, so that an import can still report why it waits.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  try {
    await moveOver(await writeTemporary(path, text, 0o640, false), path);
  } catch (error) {
    if (!isErrno(error, 'ENOSPC', 'EDQUOT')) throw error;
    await writeOver(path, text);
  }
}

async function moveOver(temporary: string, path: string): Promise<void> {
  try {
    await rename(temporary, path);
  } catch (error) {
    await removeFile(temporary);
    throw error;
  }
}

/** Overwrites a file in one write, padded with blanks to the old length. A reader finds the old or the new text. */
async function writeOver(path: string, text: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    const bytes = Buffer.from(text);
    await file.write(Buffer.concat([bytes, Buffer.alloc(Math.max(0, size - bytes.length), ' ')]), 0, null, 0);
  } finally {
    await file.close();
  }
}

/**
 * Creates a small file in an existing folder unless the file exists.
 *
 * @returns whether this call created the file; of several concurrent calls exactly one returns true
 */
export async function createExclusively(path: string, text: string): Promise<boolean> {
  const temporary = await writeTemporary(path, text, recordMode, true);
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

/** Writes a temporary file next to the final path. If the write fails, the temporary file is removed. */
async function writeTemporary(path: string, text: string, mode: number, isDurable: boolean): Promise<string> {
  const temporary = `${path}.${randomUUID()}${temporaryEnding}`;
  const file = await open(temporary, 'wx', mode);
  try {
    await file.writeFile(text);
    if (isDurable) await file.sync();
    await file.close();
    return temporary;
  } catch (error) {
    await file.close().catch(() => undefined);
    await removeFile(temporary);
    throw error;
  }
}

/** Flushes the entries of a folder. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Removes a file. @returns whether the file existed */
export async function removeFile(path: string): Promise<boolean> {
  return (
    (await ignoring(
      ['ENOENT'],
      unlink(path).then(() => true),
    )) ?? false
  );
}

/**
 * Removes a file if its text matches. The file is renamed first and checked again under the new name, where no other
 * process replaces it. If the text no longer matches, the file is put back. If the process is killed in between, the
 * file remains set aside for `putBack`.
 */
export async function removeFileIf(path: string, matches: (text: string) => boolean): Promise<void> {
  const text = await ignoring(['ENOENT'], readFile(path, 'utf8'));
  if (text === undefined || !matches(text)) return;
  const aside = `${path}.${randomUUID()}${asideEnding}`;
  if (
    !(await ignoring(
      ['ENOENT'],
      rename(path, aside).then(() => true),
    ))
  )
    return;
  if (matches(await readFile(aside, 'utf8'))) await removeFile(aside);
  else await putBack(aside);
}

/** Returns whether `removeFileIf` has set a file aside. */
export function isSetAside(path: string): boolean {
  return setAside.test(path);
}

/** Puts a file that was set aside back under its name, or removes it if a new file has that name. */
export async function putBack(aside: string): Promise<void> {
  await ignoring(['EEXIST', 'ENOENT'], link(aside, setAside.exec(aside)?.[1] ?? ''));
  await removeFile(aside);
}

/** Awaits a call. @returns undefined if the call fails with one of the error codes */
export async function ignoring<T>(errnos: readonly string[], call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isErrno(error, ...errnos)) return undefined;
    throw error;
  }
}

/** Returns whether an error has one of the operating system's error codes. */
export function isErrno(error: unknown, ...errnos: readonly string[]): boolean {
  return errnos.includes((error as NodeJS.ErrnoException | null)?.code ?? '');
}

/** Runs a call. @throws StorageFailure instead of an error of the operating system */
export async function guarded<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { code, message, syscall } = error as NodeJS.ErrnoException;
    if (code !== undefined && syscall !== undefined) {
      throw new StorageFailure(`A storage operation failed: ${message}`, code, error);
    }
    throw error;
  }
}
