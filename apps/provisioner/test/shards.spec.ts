import { jest } from '@jest/globals';
import { ShardExecutor } from '../src/import-runs/shard-executor.js';
import { World } from './faults/support/world.js';
import { digest, type Files } from './support/delivery.js';
import { TestSystem } from './support/system.js';
import { until } from '../../../test/support/until.ts';

const workerCount = 2;

/** A dataset of 600 files in some folders, and of some larger files. */
function aDataset(id: string): Files {
  const small = Array.from({ length: 600 }, (_, index) => [
    `${id}/${String(index % 7)}/${String(index)}`,
    `content ${String(index)}`,
  ]);
  const large = Array.from({ length: 4 }, (_, index) => [`${id}/large/${String(index)}`, Buffer.alloc(9 << 20, index)]);
  return Object.fromEntries([...small, ...large]) as Files;
}

const sumsOf = (files: Files, id: string, wrong: readonly string[] = []): Files => {
  const lines = Object.entries(files).map(([path, bytes]) => {
    const sum = wrong.includes(path) ? '0'.repeat(64) : digest('sha256', bytes);
    return `${sum}  ${path.slice(id.length + 1)}\n`;
  });
  return { [`${id}/SHA256SUMS`]: lines.join('') };
};

describe('a dataset that several workers copy', () => {
  let system: TestSystem;
  let executions: jest.SpiedFunction<ShardExecutor['execute']>[];

  beforeEach(async () => {
    system = await TestSystem.create({ SHARD_FILES: '300', SHARD_BYTES: '10M' });
    await system.startServer();
    const workers = await Promise.all(Array.from({ length: workerCount }, () => system.startWorker()));
    executions = workers.map((worker) => jest.spyOn(worker.get(ShardExecutor, { strict: false }), 'execute'));
  });

  afterEach(async () => {
    // The storage contains exactly the imported files.
    await (await World.of(system)).check();
    await system.stop();
  });

  const requested = async (id: string): Promise<string> => {
    const { status, body } = await system.post('/datasets/srcsys/import', { dataset_id: id });
    expect(status).toBe(202);
    return body.id;
  };

  /** Returns the numbers of the shards that the workers have copied since the last call, sorted. */
  const shardsCopied = (): number[] => {
    const calls = executions.flatMap((execution) => execution.mock.calls.map(([{ shard }]) => shard));
    for (const execution of executions) execution.mockClear();
    return [...new Set(calls)].sort((one, other) => one - other);
  };

  it('should be imported completely and report its progress', async () => {
    const files = aDataset('DS-1');
    await system.deliver('SUB-1', { ...files, ...sumsOf(files, 'DS-1') });
    expect(await system.ended(await requested('DS-1'))).toMatchObject({
      state: 'finished',
      progress: { files_done: 605, files_total: 605, bytes_resumed: 0 },
    });
    const shards = shardsCopied();
    expect(shards).toEqual(shards.map((_, index) => index));
    expect(shards.length).toBeGreaterThan(workerCount);
  });

  it('should be one job when it is small', async () => {
    await system.deliver('SUB-2', { 'SMALL/a': '1' });
    expect(await system.ended(await requested('SMALL'))).toMatchObject({ state: 'finished' });
    expect(shardsCopied()).toEqual([]);
  });

  it('should be rejected with every file that differs from its checksum when the files are in several shards', async () => {
    const files = aDataset('DS-3');
    const wrong = ['DS-3/0/7', 'DS-3/6/6', 'DS-3/large/3'];
    await system.deliver('SUB-3', { ...files, ...sumsOf(files, 'DS-3', wrong) });
    const id = await requested('DS-3');
    expect(await system.ended(id)).toMatchObject({ state: 'rejected', error: { code: 'checksum.mismatch' } });
    const { items } = (await system.get(`/imports/${id}/files`)).body;
    expect(items.map(({ path }) => `DS-3/${path}`).sort()).toEqual(wrong.sort());
  });

  it('should leave nothing when it is cancelled', async () => {
    system.copyAt(1 << 20);
    try {
      await system.deliver('SUB-4', aDataset('DS-4'));
      const id = await requested('DS-4');
      await until(async () => (await system.get(`/imports/${id}`)).body.progress.bytes_done > 0);
      await system.post(`/imports/${id}/cancel`);
      expect(await system.ended(id)).toMatchObject({ state: 'cancelled' });
    } finally {
      system.copyAt(0);
    }
  });
});
