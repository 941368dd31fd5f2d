import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failpoint } from '../../process/failpoint.js';
import type { Shard, ShardBatch, ShardFailure, ShardPlan, ShardProgress } from '../../model/shards.js';
import { linesIn } from '../lists.js';
import { ignoring, replaceFile, workFolderMode, writeDurably } from './durable-file.js';
import type { FlushFailures } from './flush-failures.js';
import { moveContents } from './move-contents.js';
import { PosixWorkspace } from './posix-workspace.js';
import {
  batchesFile,
  batchOf,
  failureFile,
  flushedFile,
  planFile,
  progressFile,
  shardPath,
  shardsFolder,
  shardsIn,
} from './shard-folders.js';
import { payloadFolder } from './staged-size.js';

/** A claimed shard in the folder of an attempt. The name of its folder contains the token of the claim. */
export class PosixShard extends PosixWorkspace implements Shard {
  isCopied = false;

  private constructor(
    private readonly attempt: string,
    private readonly own: { readonly number: number; readonly state: string },
    readonly plan: ShardPlan,
    flushFailures: FlushFailures,
  ) {
    super(shardPath(attempt, own), flushFailures, plan.manifests);
  }

  /**
   * Claims a shard by one rename, so that the process that claimed it before no longer finds its paths.
   *
   * @param attempt the folder of an attempt
   * @returns null if the shard is finished, has failed, does not exist, or is claimed by another process at this moment
   */
  static async claim(
    attempt: string,
    number: number,
    token: string,
    flushFailures: FlushFailures,
  ): Promise<PosixShard | null> {
    const text = await ignoring(['ENOENT'], readFile(join(attempt, shardsFolder, planFile), 'utf8'));
    const names = (await ignoring(['ENOENT'], readdir(join(attempt, shardsFolder)))) ?? [];
    const found = shardsIn(names).find((each) => each.number === number);
    if (text === undefined || !found || found.state === 'done' || found.state === 'failed') return null;
    const own = { number, state: token };
    const renaming = rename(shardPath(attempt, found), shardPath(attempt, own)).then(() => true);
    if ((await ignoring(['ENOENT'], renaming)) !== true) return null;
    const shard = new PosixShard(attempt, own, JSON.parse(text) as ShardPlan, flushFailures);
    await shard.whileOwned(() => shard.prepare());
    return shard;
  }

  async *batches(): AsyncGenerator<ShardBatch> {
    const list = createReadStream(join(this.folder, batchesFile)) as AsyncIterable<Buffer>;
    for await (const lines of linesIn(list)) {
      for (const line of lines) {
        // The owner copies a batch whose line a crash truncated.
        const batch = batchOf(line);
        if (batch) yield batch;
      }
    }
  }

  list(): Promise<void> {
    return Promise.resolve();
  }

  report(progress: ShardProgress): Promise<void> {
    return this.whileOwned(() => replaceFile(join(this.folder, progressFile), JSON.stringify(progress)));
  }

  async complete(): Promise<void> {
    await this.whileOwned(async () => {
      if (!this.isCopied) {
        await this.flush();
        await writeFile(join(this.folder, flushedFile), '');
      }
      failpoint('shard_flushed');
      await moveContents(this.payload, join(this.attempt, payloadFolder));
      failpoint('shard_moved');
      await this.end('done');
    });
  }

  fail(failure: ShardFailure): Promise<void> {
    return this.whileOwned(async () => {
      await writeDurably(join(this.folder, failureFile), JSON.stringify(failure));
      await this.end('failed');
    });
  }

  private async prepare(): Promise<void> {
    for (const folder of [this.payload, this.target.notes])
      await ignoring(['EEXIST'], mkdir(folder, { mode: workFolderMode }));
    this.isCopied = (await ignoring(['ENOENT'], stat(join(this.folder, flushedFile)))) !== undefined;
    await this.openJournal();
  }

  private async end(state: 'done' | 'failed'): Promise<void> {
    await rename(this.folder, shardPath(this.attempt, { ...this.own, state }));
    failpoint('shard_ended');
  }
}
