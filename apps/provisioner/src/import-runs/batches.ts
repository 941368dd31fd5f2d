import { hash } from 'node:crypto';
import type { SourceEntry } from '../model/source-system.js';
import type { FileBatch } from '../model/workspace.js';

const maxEntries = 256;

/** The most bytes of a batch with several entries. */
const maxBytes = 8 * 1024 * 1024;

/** Consecutive entries of a walk, including folders. The files of a batch are copied and recorded together. */
export interface Batch extends FileBatch {
  readonly entries: readonly SourceEntry[];
  readonly files: readonly SourceEntry[];
}

/**
 * Splits a walk into batches. The same walk always results in the same batches, so that a start finds the batches that
 * an earlier start recorded. A file that is flushed separately has a batch of its own.
 */
export async function* batchesOf(walk: AsyncIterable<readonly SourceEntry[]>): AsyncGenerator<Batch> {
  let batch: SourceEntry[] = [];
  let bytes = 0;
  for await (const entries of walk) {
    for (const entry of entries) {
      const isFull = batch.length === maxEntries || bytes + entry.size > maxBytes;
      if (isFull && batch.length > 0) {
        yield batchOf(batch);
        batch = [];
        bytes = 0;
      }
      batch.push(entry);
      bytes += entry.size;
    }
  }
  if (batch.length > 0) yield batchOf(batch);
}

/** Returns a batch of entries. */
export function batchOf(entries: readonly SourceEntry[]): Batch {
  const files = entries.filter(({ type }) => type === 'file');
  const lines = files.map(({ path, size, version }) => `${path}\0${String(size)}\0${version}\n`);
  return { entries, files, key: hash('sha256', lines.join(''), 'base64url') };
}
