import { hash } from 'node:crypto';
import type { SourceEntry } from '../model/source-system.js';
import type { FileBatch } from '../model/storage.js';

/** A batch is full with so many entries. */
const entriesPerBatch = 256;

/** And with so many bytes, unless it is a single file. */
const bytesPerBatch = 8 * 1024 * 1024;

/** Entries in the order of the walk, the folders among them too; its files are copied and noted together. */
export interface Batch extends FileBatch {
  readonly entries: readonly SourceEntry[];
  readonly files: readonly SourceEntry[];
}

/**
 * Cuts a walk into batches. The same walk is cut the same way each time, so that what an attempt has noted of a batch
 * is found again by the next. A file that is flushed by itself is a batch by itself.
 */
export async function* batchesOf(walk: AsyncIterable<readonly SourceEntry[]>): AsyncGenerator<Batch> {
  let batch: SourceEntry[] = [];
  let bytes = 0;
  for await (const entries of walk) {
    for (const entry of entries) {
      const isFull = batch.length === entriesPerBatch || bytes + entry.size > bytesPerBatch;
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

function batchOf(entries: readonly SourceEntry[]): Batch {
  const files = entries.filter(({ type }) => type === 'file');
  const lines = files.map(({ path, size, version }) => `${path}\0${String(size)}\0${version}\n`);
  return { entries, files, key: hash('sha256', lines.join(''), 'base64url') };
}
