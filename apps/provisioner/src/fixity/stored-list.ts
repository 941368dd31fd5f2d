import type { Hash } from 'node:crypto';
import type { FileRecord } from '../model/commit.js';
import { linesIn, parseLine } from '../storage/lists.js';

/** The limits of a batch. A file above the byte limit is a batch by itself. */
const entriesPerBatch = 256;
const bytesPerBatch = 8 * 1024 * 1024;

/** Matches paths that no import writes: absolute paths, and paths with empty, `.` or `..` segments. */
const strayPath = /(^|\/)\.{0,2}(\/|$)/;

/**
 * Yields the records of a list in batches and updates the list's digest. Lines that no import writes are skipped,
 * because the digest reveals them.
 */
export async function* recordBatches(list: AsyncIterable<Buffer>, digest: Hash): AsyncGenerator<readonly FileRecord[]> {
  let batch: FileRecord[] = [];
  let bytes = 0;
  for await (const lines of linesIn(digested(list, digest))) {
    for (const line of lines) {
      const record = recordOf(line);
      if (!record) continue;
      if (batch.length === entriesPerBatch || (batch.length > 0 && bytes + record.size > bytesPerBatch)) {
        yield batch;
        batch = [];
        bytes = 0;
      }
      batch.push(record);
      bytes += record.size;
    }
  }
  if (batch.length > 0) yield batch;
}

function recordOf(line: string): FileRecord | null {
  const record = parseLine(line) as Partial<FileRecord> | null;
  const isRecord = typeof record?.path === 'string' && typeof record.size === 'number' && !strayPath.test(record.path);
  return isRecord ? (record as FileRecord) : null;
}

async function* digested(list: AsyncIterable<Buffer>, digest: Hash): AsyncGenerator<Buffer> {
  for await (const bytes of list) {
    digest.update(bytes);
    yield bytes;
  }
}
