import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type { FileRecord } from '../storage/commit.js';
import type { Storage } from '../storage/storage.js';
import { ImportFailure, type FileFailure } from './failure.js';
import type { ImportResult } from './import-record.js';
import { counterPlaces } from '../copy/copy-messages.js';
import type { ProgressMeter } from './progress-meter.js';

/** What a fixity check found. */
export interface Verification {
  readonly result: ImportResult;
  readonly failures: readonly FileFailure[];
}

/** Reads every file of an imported dataset again and compares it with the list that was published with it. */
export async function verifyImported(
  storage: Storage,
  id: string,
  meter: ProgressMeter,
  signal: AbortSignal,
): Promise<Verification> {
  const subject = { kind: 'dataset', id } as const;
  const commit = await storage.findCommit(subject);
  if (!commit) throw new ImportFailure('source.gone', `${id} is not imported.`);
  meter.phase = 'verifying';
  meter.filesTotal = commit.content.files;
  meter.bytesTotal = commit.content.bytes;
  const failures: FileFailure[] = [];
  const extra = new Set(await storage.filesOf(subject));
  for await (const line of createInterface({ input: storage.openList(subject, 'ndjson') })) {
    signal.throwIfAborted();
    const record = JSON.parse(line) as FileRecord;
    if (record.type !== 'file') continue;
    if (!extra.delete(record.path)) failures.push(missing(record.path));
    else failures.push(...(await compare(storage, id, record, meter, signal)));
    meter.filesDone += 1;
  }
  for (const path of extra) {
    failures.push({ code: 'file.unlisted', path, message: `${path} was not imported with the dataset.` });
  }
  const { files, bytes, manifest_sha256 } = commit.content;
  return { failures, result: { path: storage.pathOf(subject), files, bytes, manifest_sha256 } };
}

async function compare(
  storage: Storage,
  id: string,
  { path, sha256 }: FileRecord,
  meter: ProgressMeter,
  signal: AbortSignal,
): Promise<FileFailure[]> {
  const hash = createHash('sha256');
  await pipeline(
    storage.openFile({ kind: 'dataset', id }, path),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        hash.update(chunk);
        Atomics.add(meter.counters, counterPlaces.bytes, BigInt(chunk.length));
      }
    },
    { signal },
  );
  const found = hash.digest('hex');
  if (found === sha256) return [];
  const message = `${path} has SHA-256 ${found}; imported was ${String(sha256)}.`;
  return [{ code: 'checksum.mismatch', path, message }];
}

function missing(path: string): FileFailure {
  return { code: 'file.missing', path, message: `${path} was imported and is not there.` };
}
