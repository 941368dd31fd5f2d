import { hash } from 'node:crypto';
import { closeSync, writeSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { openNewFile } from '../../copy/new-file.js';
import { SupersededError } from '../../model/storage-failure.js';
import type { SourceEntry } from '../../model/source-system.js';
import type { ShardBatch } from '../../model/shards.js';
import { PosixShards } from './posix-shards.js';
import type { PosixShard } from './posix-shard.js';
import type { PosixStagingArea } from './posix-staging-area.js';
import { PosixStorage } from './posix-storage.js';
import { removeTree } from './remove-tree.js';

const subject = { kind: 'dataset', id: 'DS-1' } as const;
const place = { ...subject, submission: 'SUB-1' };
const fingerprint = 'sha256:1';

/** A file whose content is its path. */
function fileAt(path: string): SourceEntry {
  return {
    ...{ path, type: 'file', size: path.length, mtimeNs: 1n, ctimeNs: 2n, version: '1:1:2', etag: null, mode: 0o640 },
  };
}

const batchAt = (...paths: string[]): ShardBatch => ({ files: paths.map(fileAt), declared: paths.map(() => ({})) });
const keyed = ({ files }: ShardBatch): { key: string; files: readonly SourceEntry[] } => ({
  ...{ key: files.map(({ path }) => path).join(), files },
});
const digestsOf = ({ files }: ShardBatch): { sha256: string }[] =>
  files.map(({ path }) => ({ sha256: hash('sha256', path) }));

/** Two shards that share the folder `a`. */
const batches = [batchAt('a/1', 'a/2'), batchAt('a/3', 'b/1')] as const;

const all = (): AsyncIterable<ShardBatch> => Readable.from(batches);

describe(PosixShards.name, () => {
  let root: string;
  let storage: PosixStorage;
  let attempt: PosixStagingArea;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'shards-'));
    storage = new PosixStorage(root);
    attempt = await storage.openAttempt(subject, 'OWNER', fingerprint);
    await attempt.shards.cut(place, all(), { files: 2, bytes: 100 });
    await attempt.shards.open();
  });

  afterEach(() => removeTree(root));

  const claim = async (number: number, token: string): Promise<PosixShard> => {
    const shard = await storage.claimShard(subject, number, token);
    if (!shard) throw new Error('The shard was not claimed.');
    return shard;
  };

  /** Copies the batches of a shard. */
  const copy = async (shard: PosixShard): Promise<void> => {
    for await (const batch of shard.batches()) {
      for (const { path } of batch.files) {
        const file = openNewFile(shard.target.folder, path);
        writeSync(file, path);
        closeSync(file);
      }
      await shard.recordBatch(keyed(batch), digestsOf(batch));
    }
  };

  it('should divide a place into shards within the limits, and keep each batch whole', async () => {
    expect(await attempt.shards.plan()).toEqual({
      ...{ place, manifests: [] },
      shards: [
        { files: 2, bytes: 6 },
        { files: 2, bytes: 6 },
      ],
    });
    const found: ShardBatch[] = [];
    for await (const batch of (await claim(1, 'A')).batches()) found.push(batch);
    expect(found).toEqual([batches[1]]);
  });

  it('should return the same plan to the next attempt at the same source', async () => {
    const plan = await attempt.shards.plan();
    const next = await storage.openAttempt(subject, 'NEXT', fingerprint);
    expect(await next.shards.plan()).toEqual(plan);
    const other = await storage.openAttempt(subject, 'OTHER', 'sha256:2');
    expect(await other.shards.plan()).toBeNull();
  });

  it('should add complete files of all shards to the attempt, and find their digests', async () => {
    for (const number of [1, 0]) {
      const shard = await claim(number, `T${String(number)}`);
      await copy(shard);
      await shard.complete();
    }
    expect((await attempt.shards.look()).open).toEqual([]);
    for (const batch of batches) {
      expect(await attempt.findFinished(keyed(batch))).toEqual(digestsOf(batch));
      for (const { path } of batch.files) expect(await readFile(join(attempt.target.folder, path), 'utf8')).toBe(path);
    }
  });

  it('should supersede the earlier worker of a shard when another worker claims the shard', async () => {
    const earlier = await claim(0, 'EARLIER');
    await copy(earlier);
    const later = await claim(0, 'LATER');
    await expect(earlier.recordBatch(keyed(batches[0]), digestsOf(batches[0]))).rejects.toThrow(SupersededError);
    await expect(earlier.report({ files: 1, bytes: 1, current: [] })).rejects.toThrow(SupersededError);
    await expect(earlier.complete()).rejects.toThrow(SupersededError);
    expect(() => openNewFile(earlier.target.folder, 'a/1')).toThrow('The staging folder does not exist.');
    expect(await later.findFinished(keyed(batches[0]))).toEqual(digestsOf(batches[0]));
    await later.complete();
    expect(await readdir(join(attempt.target.folder, 'a'))).toEqual(['1', '2']);
  });

  it('should finish the move of a worker that was killed during the move', async () => {
    const killed = await claim(0, 'KILLED');
    await copy(killed);
    const folder = dirname(killed.target.folder);
    await writeFile(join(folder, 'flushed'), '');
    await mkdir(join(attempt.target.folder, 'a'));
    await writeFile(join(attempt.target.folder, 'a/3'), 'a/3');
    const next = await claim(0, 'NEXT');
    expect(next.isCopied).toBe(true);
    await next.complete();
    expect((await readdir(join(attempt.target.folder, 'a'))).sort()).toEqual(['1', '2', '3']);
  });

  it('should not offer a shard that is finished or has failed', async () => {
    const first = await claim(0, 'A');
    await copy(first);
    await first.complete();
    const failure = { code: 'checksum.mismatch', message: 'a/3 differs.', problems: [], counts: {} } as const;
    await (await claim(1, 'B')).fail(failure);
    expect(await storage.claimShard(subject, 0, 'C')).toBeNull();
    expect(await storage.claimShard(subject, 1, 'D')).toBeNull();
    expect(await storage.claimShard(subject, 2, 'E')).toBeNull();
    expect(await attempt.shards.look()).toMatchObject({ failed: [1], open: [] });
    expect(await attempt.shards.failureOf(1)).toEqual(failure);
    await attempt.shards.open();
    expect((await attempt.shards.look()).open).toEqual([1]);
  });

  it('should supersede the workers of all shards when the owner closes them or is superseded', async () => {
    const first = await claim(0, 'A');
    await attempt.shards.close();
    await expect(first.complete()).rejects.toThrow(SupersededError);
    expect(await storage.claimShard(subject, 0, 'B')).toBeNull();
    await attempt.shards.open();
    const second = await claim(0, 'C');
    const next = await storage.openAttempt(subject, 'NEXT', fingerprint);
    await expect(second.complete()).rejects.toThrow(SupersededError);
    await expect(attempt.shards.look()).rejects.toThrow(SupersededError);
    await expect(attempt.shards.open()).rejects.toThrow(SupersededError);
    expect((await next.shards.look()).open).toEqual([0, 1]);
  });

  it('should compare the files of shards that an earlier attempt has finished', async () => {
    const shard = await claim(0, 'A');
    await copy(shard);
    await shard.complete();
    const next = await storage.openAttempt(subject, 'NEXT', fingerprint);
    await next.shards.open();
    await removeTree(join(next.target.folder, 'a/2'));
    expect(await next.findFinished(keyed(batches[0]))).toBeNull();
  });

  it('should count the staged files of shards, whether the shards are open or closed', async () => {
    await copy(await claim(0, 'A'));
    const staged = { bytes: 6, files: 3 };
    expect(await new PosixStorage(root).stagedSize(subject, fingerprint)).toEqual(staged);
    await attempt.shards.close();
    expect(await new PosixStorage(root).stagedSize(subject, fingerprint)).toEqual(staged);
  });
});
