import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StorageFailure } from '../../model/storage-failure.js';

/** The mode of folders that are ours and still being worked in. */
export const workFolderMode = 0o750;

/** Files as they are once published: read-only. The account's umask may leave less. */
export const publishedFileMode = 0o440;

/** Folders as they are once published: read-only. */
export const publishedFolderMode = 0o550;

/** How the names end of what is not whole yet. */
export const temporaryEnding = '.tmp';

/** How the names end of what was taken aside, after its own name and a UUID. */
const asideEnding = `.aside${temporaryEnding}`;
const setAside = /^(.+)\.[0-9a-f-]{36}\.aside\.tmp$/;

const recordMode = 0o440;

/**
 * Writes a small file into a folder that is there, so that it is there whole or not at all, and stays when the power fails.
 *
 * @param aside the folder of the same file system in which it becomes whole
 */
export async function writeDurably(path: string, text: string, aside = dirname(path)): Promise<void> {
  const temporary = await writeTemporary(join(aside, basename(path)), text, recordMode, true);
  await moveOver(temporary, path);
  await syncFolder(dirname(path));
}

/**
 * As `writeDurably`, for what may be lost when the power fails: progress that is written every second. On a full disk
 * it is written in place, so that an import can still say what it waits for.
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

/** One write of the same length or more: a reader finds the old text or the new one, blanks after it. */
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
 * Makes a small file unless one is there already, in a folder that is there.
 *
 * @returns whether it was made by this call; of several callers exactly one is told so
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

/** Writes a file beside the one it will be; nothing stays of it when that fails. */
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

/**
 * Removes a file whose text is the one meant. It is taken aside and looked at once more there, where nobody can write
 * another in its place meanwhile; another is put back. Whoever is killed in between leaves it for `putBack`.
 */
export async function removeFileIf(path: string, isMeant: (text: string) => boolean): Promise<void> {
  const text = await ignoring(['ENOENT'], readFile(path, 'utf8'));
  if (text === undefined || !isMeant(text)) return;
  const aside = `${path}.${randomUUID()}${asideEnding}`;
  if (
    !(await ignoring(
      ['ENOENT'],
      rename(path, aside).then(() => true),
    ))
  )
    return;
  if (isMeant(await readFile(aside, 'utf8'))) await removeFile(aside);
  else await putBack(aside);
}

/** Whether a file is one that `removeFileIf` has taken aside. */
export function isSetAside(path: string): boolean {
  return setAside.test(path);
}

/** Puts back what was taken aside, unless another was written in its place: as if nobody had touched it. */
export async function putBack(aside: string): Promise<void> {
  await ignoring(['EEXIST', 'ENOENT'], link(aside, setAside.exec(aside)?.[1] ?? ''));
  await removeFile(aside);
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
