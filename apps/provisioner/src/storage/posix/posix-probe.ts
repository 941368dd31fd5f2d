import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Layout } from '../../model/layout.js';
import { StorageFailure } from '../../model/storage-failure.js';
import { checkFlush } from './file-system-flush.js';
import { createExclusively, isErrno, workFolderMode } from './durable-file.js';

/**
 * Probes the guarantees of a file system that imports rely on: a flush, exclusive creation of a file, staging and data on
 * one file system, and no rename onto a folder with content. The probe removes its own files.
 *
 * @throws StorageFailure if a guarantee is missing, or with the operating system's error code if the probe fails
 */
export async function probeFolder(layout: Layout): Promise<void> {
  try {
    await createFolder(layout.data);
    await checkFlush();
    await probeExclusiveCreation(layout);
    await probeRename(layout);
  } catch (error) {
    if (error instanceof StorageFailure) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StorageFailure(message, code, error);
  }
}

/** Creates a folder and its missing parents. */
async function createFolder(path: string): Promise<void> {
  try {
    // Without `recursive`, which reports a read-only file system as ENOENT if a folder is missing.
    await mkdir(path, { mode: 0o755 });
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return;
    if (!isErrno(error, 'ENOENT')) throw error;
    await mkdir(path, { recursive: true, mode: 0o755 });
  }
}

async function probeExclusiveCreation(layout: Layout): Promise<void> {
  const folder = join(layout.requests, 'probe');
  const path = join(folder, randomUUID());
  await mkdir(folder, { recursive: true, mode: workFolderMode });
  const tried = await Promise.allSettled([createExclusively(path, '1'), createExclusively(path, '2')]);
  await rm(path, { force: true });
  const created = tried.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  if (created.filter(Boolean).length !== 1) {
    const message = 'link() does not fail for an existing file on this file system; use a POSIX file system.';
    throw new StorageFailure(message, undefined);
  }
}

async function probeRename(layout: Layout): Promise<void> {
  const published = [layout.published('dataset'), layout.published('submission')];
  for (const folder of published) await mkdir(folder, { recursive: true, mode: 0o755 });
  const staging = join(layout.data, '.staging');
  const staged = join(staging, `probe-${randomUUID()}`);
  const target = join(staging, `probe-${randomUUID()}`);
  try {
    await mkdir(staged, { recursive: true, mode: workFolderMode });
    await mkdir(join(target, 'full'), { recursive: true, mode: workFolderMode });
    const devices = await Promise.all([staged, ...published].map(async (path) => (await stat(path)).dev));
    if (new Set(devices).size !== 1) {
      const folders = 'data/.staging, data/raw and data/projects';
      throw new StorageFailure(`${folders} must be on one file system; on Btrfs, in one subvolume.`, 'EXDEV');
    }
    await expectRefusedRename(staged, target);
  } finally {
    for (const folder of [staged, target]) await rm(folder, { recursive: true, force: true });
  }
}

/** @throws StorageFailure if a rename replaces a folder with content */
async function expectRefusedRename(staged: string, target: string): Promise<void> {
  try {
    await rename(staged, target);
  } catch (error) {
    if (isErrno(error, 'ENOTEMPTY', 'EEXIST')) return;
    throw error;
  }
  const message = 'rename() replaces a non-empty directory on this file system; use a POSIX file system.';
  throw new StorageFailure(message, undefined);
}
