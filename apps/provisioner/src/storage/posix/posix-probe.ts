import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Layout } from '../../model/layout.js';
import { StorageFailure } from '../../model/storage-failure.js';
import { createExclusively, isErrno, workFolderMode } from './durable-file.js';

/**
 * Tries what a file system must guarantee for imports to be safe: of two callers that create a file one is refused,
 * staging and data are on one file system, and no folder is renamed onto a folder that is not empty. A failed trial
 * leaves nothing of its own.
 *
 * @throws StorageFailure in one sentence, or with the word of the operating system
 */
export async function probeFolder(layout: Layout): Promise<void> {
  try {
    await makeFolder(layout.data);
    await probeExclusiveCreation(layout);
    await probeRename(layout);
  } catch (error) {
    if (error instanceof StorageFailure) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StorageFailure(message, code, error);
  }
}

/** Makes a folder, and the folders above it that are missing. */
async function makeFolder(path: string): Promise<void> {
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
  const made = tried.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
  if (made.filter(Boolean).length !== 1) {
    throw new StorageFailure('two callers can create the same file there.', undefined);
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
      const parts = 'data/.staging, data/raw and data/projects';
      throw new StorageFailure(`${parts} must be on one file system, and of a Btrfs in one subvolume.`, 'EXDEV');
    }
    await refuseRename(staged, target);
  } finally {
    for (const folder of [staged, target]) await rm(folder, { recursive: true, force: true });
  }
}

/** @throws StorageFailure if the rename of a folder onto one that is not empty succeeds */
async function refuseRename(staged: string, target: string): Promise<void> {
  try {
    await rename(staged, target);
  } catch (error) {
    if (isErrno(error, 'ENOTEMPTY', 'EEXIST')) return;
    throw error;
  }
  throw new StorageFailure('a folder can be renamed onto one that is not empty.', undefined);
}
