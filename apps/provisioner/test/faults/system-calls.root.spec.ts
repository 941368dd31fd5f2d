import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { individualFlushBytes } from '../../src/model/workspace.js';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';
import { until } from '../../../../test/support/until.ts';
import { BrokenCalls, type Broken } from './support/broken-calls.js';
import { hasHalted } from './support/halted.js';
import { inTurns } from './support/in-turns.js';
import { RedisDatabases } from './support/redis-databases.js';
import { World } from './support/world.js';

interface Row {
  readonly calls: string;
  /** The file or folder whose calls fail. If undefined, all calls fail. */
  readonly on?: string;
  /** The state of the import until which the calls fail. */
  readonly until: 'waiting' | 'failed';
  readonly code: string;
  /** The error code; EIO if undefined. */
  readonly errno?: string;
  /** The folders in `data/raw` at that time. */
  readonly published?: readonly string[];
  /** Files that are reused when the calls succeed. */
  readonly reused?: readonly string[];
  /** Files that are copied again although they exist. */
  readonly recopied?: readonly string[];
}

const source = 'source/SUB-1/DS-1';
const raw = 'storage/data/raw';
/** `*` is the folder of the first attempt. */
const staged = 'storage/data/.staging/dataset/DS-1/*/payload';
const [small, large] = ['a/small', 'large'];
const afterPublication = { published: ['DS-1'], reused: [small, large] };

const table: readonly Row[] = [
  { calls: 'read', on: `${source}/${small}`, until: 'waiting', code: 'source.io', reused: [large] },
  { calls: 'pread64', on: `${source}/${large}`, until: 'waiting', code: 'source.io', reused: [small] },
  { calls: 'pread64', on: `${source}/${large}`, until: 'failed', code: 'source.io', reused: [small] },
  { calls: 'openat,statx,getdents64', on: `${source}/a`, until: 'waiting', code: 'source.io' },
  { calls: 'openat,statx,getdents64', on: 'source', until: 'waiting', code: 'source.unavailable' },
  // All positioned reads fail, including those of the code of the copy threads, which therefore do not start.
  { calls: 'pread64', until: 'waiting', code: 'internal' },
  { calls: 'write', on: `${staged}/${small}`, until: 'waiting', code: 'storage.io' },
  { calls: 'pwrite64', until: 'failed', code: 'storage.io' },
  { calls: 'fsync', on: `${staged}/${large}`, until: 'waiting', code: 'storage.io', recopied: [large] },
  { calls: 'close', on: `${staged}/${large}`, until: 'waiting', code: 'storage.io', recopied: [large] },
  { calls: 'syncfs', until: 'failed', code: 'storage.io', reused: [large], recopied: [small] },
  { calls: 'rename', on: staged, until: 'waiting', code: 'storage.io', reused: [small, large] },
  // NFS returns ESTALE for a file handle that its server no longer accepts.
  { calls: 'pread64', errno: 'ESTALE', on: `${source}/${large}`, until: 'waiting', code: 'source.io', reused: [small] },
  {
    calls: 'pwrite64',
    errno: 'ESTALE',
    on: `${staged}/${large}`,
    until: 'waiting',
    code: 'storage.io',
    reused: [small],
  },
  { calls: 'fsync', on: raw, until: 'waiting', code: 'storage.io', ...afterPublication },
  { calls: 'fsync', on: raw, until: 'failed', code: 'storage.io', ...afterPublication },
];

describe('a worker whose system calls fail', () => {
  let databases: RedisDatabases;
  let runs: Map<Row, Promise<void>>;

  beforeAll(async () => {
    await buildServices();
    databases = await RedisDatabases.start();
    runs = inTurns(table, 5, rehearse);
  });

  afterAll(async () => {
    await Promise.allSettled(runs.values());
    await databases.stop();
  });

  it.each(table.map((row) => [row.calls, row.errno ?? 'EIO', row.on ?? 'anything', row.until, row.code, row] as const))(
    '%s with %s on %s until its import is %s with %s should publish only durable data and finish afterwards',
    async (...[, , , , , row]) => {
      await runs.get(row);
    },
  );

  async function rehearse(row: Row): Promise<void> {
    const system = await TestSystem.create(databases.next());
    const worker = await ServiceProcess.startWorker({ ...system.environment, FAILPOINT: 'after_claim:1:SIGSTOP' });
    let broken: BrokenCalls | undefined;
    try {
      await system.deliver('SUB-1', {
        [`DS-1/${small}`]: '1',
        [`DS-1/${large}`]: Buffer.alloc(individualFlushBytes + 1, 1),
      });
      const world = await World.of(system);
      await system.startServer();
      const { id } = await ask(system);
      await hasHalted(worker);
      broken = await BrokenCalls.of(worker.pid, await brokenBy(row, system), join(system.root, 'strace'));
      worker.send('SIGCONT');
      await until(async () => (await system.get(`/imports/${id}`)).body.state === row.until, 100_000);
      // The worker is paused while the files are listed.
      worker.send('SIGSTOP');
      const before = await world.filesOf('DS-1');
      expect((await system.get(`/imports/${id}`)).body.error).toMatchObject({ code: row.code });
      expect(await readdir(join(system.root, raw))).toEqual(row.published ?? []);
      await broken.restore();
      worker.send('SIGCONT');
      expect(await broken.count()).toBeGreaterThan(0);
      if (row.until === 'failed') await requestAgain(system, id);
      expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: row.until === 'failed' ? 2 : 1 });
      await worker.end('SIGTERM');
      await world.check();
      const after = await world.filesOf('DS-1');
      const isReused = (path: string): boolean => before.get(path)?.identity === after.get(path)?.identity;
      for (const path of row.reused ?? []) expect([path, isReused(path)]).toEqual([path, true]);
      for (const path of row.recopied ?? [])
        expect([path, before.has(path), isReused(path)]).toEqual([path, true, false]);
    } finally {
      await broken?.restore();
      await worker.end('SIGKILL');
      await system.stop();
    }
  }

  async function brokenBy({ calls, errno = 'EIO', on }: Row, { root, storage }: TestSystem): Promise<Broken> {
    const [attempt = ''] = await readdir(join(storage, 'data/.staging/dataset/DS-1'));
    return { calls, errno, ...(on !== undefined && { path: join(root, on.replace('*', attempt)) }) };
  }
});

async function ask(system: TestSystem): Promise<{ readonly id: string }> {
  return (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
}

/** Requests the dataset again. The request resumes the same import, also if the dataset is published. */
async function requestAgain(system: TestSystem, id: string): Promise<void> {
  // The worker may have been paused between the end of the import and the closing of its request.
  await until(async () => (await system.get('/datasets/srcsys/DS-1')).body.import?.state === 'failed');
  expect(await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).toMatchObject({
    status: 202,
    body: { id, attempt: 2 },
  });
}
