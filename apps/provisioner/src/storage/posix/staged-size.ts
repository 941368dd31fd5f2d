import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachConcurrently } from '../../concurrency/for-each-concurrently.js';
import { recordFolder } from '../../model/layout.js';
import type { StagedSize } from '../../model/storage.js';
import { ignoring } from './durable-file.js';
import { closedShardsFolder, shardsFolder } from './shard-folders.js';

/** The payload of an attempt, which the publication renames to the target folder. */
export const payloadFolder = 'payload';

/** The fingerprint of the source of the payload, next to the payload. */
export const fingerprintFile = 'fingerprint';

const bytesPerBlock = 512;

/** Entries that are inspected at once. */
const concurrentCalls = 16;

/** The time for which a measurement is reused, because an import that waits for space is planned every 30 seconds. */
const validMs = 10 * 60_000;

/**
 * Measures the staged files of attempts. A measurement is reused while no other attempt takes over the folder, because
 * each attempt has a folder name of its own, and for a limited time, because a superseded attempt may still write.
 */
export class StagedSizes {
  private readonly measured = new Map<string, { readonly size: StagedSize; readonly at: number }>();

  /**
   * Returns the size of all staged files of a subject.
   *
   * @param staging the folder of all attempts at the subject
   * @param fingerprint of the present source. Files that were copied from it are kept, with their holes; other files are
   *   removed, which frees their blocks.
   */
  async of(staging: string, fingerprint: string): Promise<StagedSize> {
    const now = performance.now();
    for (const [folder, { at }] of this.measured) if (now - at > validMs) this.measured.delete(folder);
    const total = { bytes: 0, files: 0 };
    for (const name of (await ignoring(['ENOENT'], readdir(staging))) ?? []) {
      const folder = join(staging, name);
      const { bytes, files } = this.measured.get(folder)?.size ?? (await this.measure(folder, fingerprint));
      total.bytes += bytes;
      total.files += files;
    }
    return total;
  }

  private async measure(folder: string, fingerprint: string): Promise<StagedSize> {
    const isKept = (await ignoring(['ENOENT'], readFile(join(folder, fingerprintFile), 'utf8'))) === fingerprint;
    const size = { bytes: 0, files: 0 };
    const shards = await Promise.all([shardsFolder, closedShardsFolder].map((name) => foldersIn(join(folder, name))));
    for (const part of [folder, ...shards.flat()]) {
      const { bytes, files } = await sizeBelow(join(part, payloadFolder), isKept);
      size.bytes += bytes;
      size.files += files;
    }
    this.measured.set(folder, { size, at: performance.now() });
    return size;
  }
}

/** Returns the paths of the entries of a folder, which may be missing. */
async function foldersIn(folder: string): Promise<readonly string[]> {
  return ((await ignoring(['ENOENT'], readdir(folder))) ?? []).map((name) => join(folder, name));
}

/** Sums up the entries below a payload, without its records. @param isLogical whether holes count */
async function sizeBelow(payload: string, isLogical: boolean): Promise<StagedSize> {
  const total = { bytes: 0, files: 0 };
  const folders = [payload];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = (await ignoring(['ENOENT', 'ENOTDIR'], readdir(folder, { withFileTypes: true }))) ?? [];
    const inside = folder;
    await forEachConcurrently(entries, concurrentCalls, async (entry) => {
      const path = join(inside, entry.name);
      if (inside === payload && entry.name === recordFolder) return;
      total.files += 1;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) {
        const stats = await ignoring(['ENOENT'], lstat(path));
        total.bytes += (isLogical ? stats?.size : (stats?.blocks ?? 0) * bytesPerBlock) ?? 0;
      }
    });
  }
  return total;
}
