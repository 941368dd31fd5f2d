import { appendFile, mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileBatch } from '../../model/workspace.js';
import type { SourcePlace } from '../../model/source-system.js';
import type {
  ShardBatch,
  ShardFailure,
  ShardPlan,
  ShardProgress,
  Shards,
  ShardStates,
  ShardTotals,
} from '../../model/shards.js';
import type { ManifestAlgorithm } from '../../settings/manifest-algorithms.js';
import { parseLine } from '../lists.js';
import { ignoring, workFolderMode, writeDurably } from './durable-file.js';
import { Journal, type JournalEntry } from './journal.js';
import { journalFile, whileOwned } from './posix-workspace.js';
import { removeTree } from './remove-tree.js';
import {
  batchesFile,
  closedShardsFolder,
  failureFile,
  lineOf,
  planFile,
  progressFile,
  shardPath,
  shardsFolder,
  shardsIn,
  type ShardFolder,
} from './shard-folders.js';

const listMode = 0o640;

/** The length of the text that is collected before a write. */
const bufferedCharacters = 256 * 1024;

/** A batch that the journal of a finished shard contains. */
interface FoundBatch extends JournalEntry {
  /** Whether the shard was finished after this attempt was opened, so that its files need no second look. */
  readonly isFresh: boolean;
}

/** A shard that is being cut. */
interface Cut {
  readonly number: number;
  files: number;
  bytes: number;
  lines: string;
}

/** The shards in the folder of an attempt, for the owner of the attempt. */
export class PosixShards implements Shards {
  private readonly folder: string;
  private stored: ShardPlan | null = null;
  /** The finished shards when the shards were opened; null before. */
  private finishedBefore: ReadonlySet<number> | null = null;
  /** The finished shards whose journals are not loaded, in their order. */
  private unread: readonly number[] | null = null;
  private readonly loaded: { readonly journal: Journal; readonly isFresh: boolean }[] = [];
  private lastTake: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly attempt: string,
    private readonly manifests: readonly ManifestAlgorithm[],
    private readonly hasNoBatch: () => boolean,
  ) {
    this.folder = join(attempt, shardsFolder);
  }

  get isCuttable(): boolean {
    return this.hasNoBatch();
  }

  async plan(): Promise<ShardPlan | null> {
    if (this.stored) return this.stored;
    for (const folder of [this.folder, join(this.attempt, closedShardsFolder)]) {
      const text = await whileOwned(() => ignoring(['ENOENT'], readFile(join(folder, planFile), 'utf8')));
      if (text !== undefined) this.stored ??= JSON.parse(text) as ShardPlan;
    }
    return this.stored;
  }

  cut(place: SourcePlace, batches: AsyncIterable<ShardBatch>, most: ShardTotals): Promise<ShardPlan> {
    return whileOwned(async () => {
      for (const folder of [this.folder, join(this.attempt, closedShardsFolder)]) await removeTree(folder);
      await mkdir(this.folder, { mode: workFolderMode });
      const shards: Cut[] = [];
      for await (const batch of batches) {
        const bytes = batch.files.reduce((sum, { size }) => sum + size, 0);
        let last = shards.at(-1);
        if (!last || last.files + batch.files.length > most.files || last.bytes + bytes > most.bytes) {
          if (last) await this.write(last);
          last = { number: shards.length, files: 0, bytes: 0, lines: '' };
          shards.push(last);
          await mkdir(shardPath(this.attempt, { number: last.number, state: 'open' }), { mode: workFolderMode });
        }
        last.files += batch.files.length;
        last.bytes += bytes;
        last.lines += lineOf(batch);
        if (last.lines.length >= bufferedCharacters) await this.write(last);
      }
      const last = shards.at(-1);
      if (last) await this.write(last);
      const totals = shards.map(({ files, bytes }) => ({ files, bytes }));
      this.stored = { place, manifests: this.manifests, shards: totals };
      await writeDurably(join(this.folder, planFile), JSON.stringify(this.stored));
      return this.stored;
    });
  }

  open(): Promise<void> {
    return whileOwned(async () => {
      await ignoring(['ENOENT'], rename(join(this.attempt, closedShardsFolder), this.folder));
      const shards = await this.list();
      for (const { number, state } of shards) {
        if (state === 'failed') await this.move({ number, state }, 'open');
      }
      this.finishedBefore = new Set(numbersOf(shards, 'done'));
    });
  }

  look(): Promise<ShardStates> {
    return whileOwned(async () => {
      const totals = (await this.plan())?.shards ?? [];
      const folders = await this.list();
      const [done, failed] = [numbersOf(folders, 'done'), numbersOf(folders, 'failed')];
      const ended = new Set([...done, ...failed]);
      const reports = await Promise.all(folders.map((shard) => this.progressOf(shard)));
      const all = [...done.map((number) => totals[number]), ...reports].filter((each) => each !== undefined);
      const progress = {
        files: all.reduce((sum, { files }) => sum + files, 0),
        bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
        current: reports.flatMap((report) => report?.current ?? []),
      };
      // A folder that is renamed while the names are read may be missing, so the plan states which shards exist.
      return { failed, open: [...totals.keys()].filter((number) => !ended.has(number)), progress };
    });
  }

  failureOf(shard: number): Promise<ShardFailure> {
    return whileOwned(async () => {
      const path = join(shardPath(this.attempt, { number: shard, state: 'failed' }), failureFile);
      return JSON.parse(await readFile(path, 'utf8')) as ShardFailure;
    });
  }

  close(): Promise<void> {
    return whileOwned(() => rename(this.folder, join(this.attempt, closedShardsFolder)));
  }

  /**
   * Finds a batch in the journals of the finished shards. Reads them in their order, so that the journals of few shards
   * are in memory if the batches come in the order of the walk. Must be called at most once for each batch.
   */
  take(batch: FileBatch): Promise<FoundBatch | null> {
    const taking = this.lastTake.catch(() => undefined).then(() => this.takeNext(batch));
    this.lastTake = taking;
    return taking;
  }

  private async takeNext(batch: FileBatch): Promise<FoundBatch | null> {
    if (!(await this.plan())) return null;
    this.unread ??= numbersOf((await ignoring(['ENOENT'], this.list())) ?? [], 'done');
    for (;;) {
      const found = this.loaded.find(({ journal }) => journal.has(batch));
      if (found) {
        const entry = found.journal.take(batch, this.manifests);
        if (found.journal.isEmpty) this.loaded.splice(this.loaded.indexOf(found), 1);
        return entry && { ...entry, isFresh: found.isFresh };
      }
      const [next, ...rest] = this.unread;
      if (next === undefined) return null;
      this.unread = rest;
      const path = join(shardPath(this.attempt, { number: next, state: 'done' }), journalFile);
      this.loaded.push({
        journal: await Journal.open(path, 'durable'),
        isFresh: this.finishedBefore?.has(next) === false,
      });
    }
  }

  private async list(): Promise<readonly ShardFolder[]> {
    return shardsIn(await readdir(this.folder));
  }

  private async write(cut: Cut): Promise<void> {
    const { lines, number } = cut;
    cut.lines = '';
    const path = join(shardPath(this.attempt, { number, state: 'open' }), batchesFile);
    await appendFile(path, lines, { mode: listMode });
  }

  /** Reads the report of a shard. The shard may be claimed or finished during the call. */
  private async progressOf(shard: ShardFolder): Promise<ShardProgress | undefined> {
    if (['open', 'done', 'failed'].includes(shard.state)) return undefined;
    const path = join(shardPath(this.attempt, shard), progressFile);
    const text = await ignoring(['ENOENT'], readFile(path, 'utf8'));
    return text === undefined ? undefined : ((parseLine(text) as ShardProgress | null) ?? undefined);
  }

  private async move(shard: ShardFolder, state: string): Promise<void> {
    await rename(shardPath(this.attempt, shard), shardPath(this.attempt, { ...shard, state }));
  }
}

function numbersOf(shards: readonly ShardFolder[], wanted: string): readonly number[] {
  return [...new Set(shards.filter(({ state }) => state === wanted).map(({ number }) => number))];
}
