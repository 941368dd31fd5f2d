import { join } from 'node:path';
import type { ShardBatch } from '../../model/shards.js';
import type { SourceEntry } from '../../model/source-system.js';
import { parseLine } from '../lists.js';

/** The folder of the shards, next to the payload of an attempt. */
export const shardsFolder = 'shards';

/** The name of that folder while no process may claim a shard. */
export const closedShardsFolder = 'shards.closed';

/** The plan of the shards. It exists when every shard is stored. */
export const planFile = 'plan.json';

/** The files of a shard: its batches, the reports of its workers, and the mark that all files were copied and flushed. */
export const batchesFile = 'batches.ndjson';
export const progressFile = 'progress.json';
export const failureFile = 'failure.json';
export const flushedFile = 'flushed';

const digits = 8;

/** A shard's folder. The state is `open`, `done`, `failed`, or the token of the process that has claimed the shard. */
export interface ShardFolder {
  readonly number: number;
  readonly state: string;
}

/** Returns the path of a shard's folder. @param attempt the folder of the attempt */
export function shardPath(attempt: string, { number, state }: ShardFolder): string {
  return join(attempt, shardsFolder, `${String(number).padStart(digits, '0')}.${state}`);
}

/** Returns the shards among the names in the folder of shards, in their order. */
export function shardsIn(names: readonly string[]): readonly ShardFolder[] {
  return names
    .flatMap((name) => {
      const [, number, state = ''] = /^(\d+)\.(.+)$/.exec(name) ?? [];
      return number === undefined ? [] : [{ number: Number(number), state }];
    })
    .sort((one, other) => one.number - other.number);
}

/** Returns a batch as a line of the list. */
export function lineOf(batch: ShardBatch): string {
  return `${JSON.stringify(batch, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}\n`;
}

/** A file in the list, whose times are texts, because JSON has no large whole numbers. */
type ListedFile = Omit<SourceEntry, 'mtimeNs' | 'ctimeNs'> & Readonly<Record<'mtimeNs' | 'ctimeNs', string>>;

/** Parses a line of the list. @returns null if a crash truncated the line */
export function batchOf(line: string): ShardBatch | null {
  const batch = parseLine(line) as (Omit<ShardBatch, 'files'> & { readonly files: readonly ListedFile[] }) | null;
  if (!batch) return null;
  const files = batch.files.map((file) => ({ ...file, mtimeNs: BigInt(file.mtimeNs), ctimeNs: BigInt(file.ctimeNs) }));
  return { ...batch, files };
}
