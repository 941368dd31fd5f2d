import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { individualFlushBytes } from '../../src/model/storage.js';
import { buildProcesses, ServiceProcess } from '../support/service-process.js';
import { TestSystem, until } from '../support/system.js';
import { BrokenCalls, type Broken } from './support/broken-calls.js';
import { hasHalted } from './support/halted.js';
import { inTurns } from './support/in-turns.js';
import { RedisDatabases } from './support/redis-databases.js';
import { World } from './support/world.js';

interface Row {
  readonly calls: string;
  /** Which file or folder they are for; where none is said, all of them fail. */
  readonly on?: string;
  /** They fail until the import is this. */
  readonly until: 'waiting' | 'failed';
  readonly code: string;
  /** EIO unless it is said. */
  readonly errno?: string;
  /** What stands in `data/raw` then. */
  readonly stands?: readonly string[];
  /** Files that are not copied again once the calls succeed. */
  readonly kept?: readonly string[];
  /** Files that are copied again, though they were there. */
  readonly anew?: readonly string[];
}

const source = 'source/SUB-1/DS-1';
const raw = 'storage/data/raw';
/** `*` is the folder of the first attempt. */
const staged = 'storage/data/.staging/dataset/DS-1/*/payload';
const [small, large] = ['a/small', 'large'];
const published = { stands: ['DS-1'], kept: [small, large] };

const table: readonly Row[] = [
  { calls: 'read', on: `${source}/${small}`, until: 'waiting', code: 'source.io', kept: [large] },
  { calls: 'pread64', on: `${source}/${large}`, until: 'waiting', code: 'source.io', kept: [small] },
  { calls: 'pread64', on: `${source}/${large}`, until: 'failed', code: 'source.io', kept: [small] },
  { calls: 'openat,statx,getdents64', on: `${source}/a`, until: 'waiting', code: 'source.io' },
  { calls: 'openat,statx,getdents64', on: 'source', until: 'waiting', code: 'source.io' },
  // Whatever is read by position, the code of the copy threads included: they do not start.
  { calls: 'pread64', until: 'waiting', code: 'internal' },
  { calls: 'write', on: `${staged}/${small}`, until: 'waiting', code: 'storage.io' },
  { calls: 'pwrite64', until: 'failed', code: 'storage.io' },
  { calls: 'fsync', on: `${staged}/${large}`, until: 'waiting', code: 'storage.io', anew: [large] },
  { calls: 'close', on: `${staged}/${large}`, until: 'waiting', code: 'storage.io', anew: [large] },
  { calls: 'syncfs', until: 'failed', code: 'storage.io', kept: [large], anew: [small] },
  { calls: 'rename', on: staged, until: 'waiting', code: 'storage.io', kept: [small, large] },
  // What NFS says of a handle that its server has forgotten.
  { calls: 'pread64', errno: 'ESTALE', on: `${source}/${large}`, until: 'waiting', code: 'source.io', kept: [small] },
  { calls: 'pwrite64', errno: 'ESTALE', on: `${staged}/${large}`, until: 'waiting', code: 'storage.io', kept: [small] },
  { calls: 'fsync', on: raw, until: 'waiting', code: 'storage.io', ...published },
  { calls: 'fsync', on: raw, until: 'failed', code: 'storage.io', ...published },
];

describe('a worker whose system calls fail', () => {
  let databases: RedisDatabases;
  let runs: Map<Row, Promise<void>>;

  beforeAll(async () => {
    await buildProcesses();
    databases = await RedisDatabases.start();
    runs = inTurns(table, 5, rehearse);
  });

  afterAll(async () => {
    await Promise.allSettled(runs.values());
    await databases.stop();
  });

  it.each(table.map((row) => [row.calls, row.errno ?? 'EIO', row.on ?? 'anything', row.until, row.code, row] as const))(
    '%s with %s on %s, until its import is %s with %s, should publish nothing that may be lost, and finish once they succeed',
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
      // What is there is looked at while nobody goes on with it.
      worker.send('SIGSTOP');
      const before = await world.filesOf('DS-1');
      expect((await system.get(`/imports/${id}`)).body.error).toMatchObject({ code: row.code });
      expect(await readdir(join(system.root, raw))).toEqual(row.stands ?? []);
      await broken.mend();
      worker.send('SIGCONT');
      expect(await broken.count()).toBeGreaterThan(0);
      if (row.until === 'failed') await askAgain(system, id);
      expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: row.until === 'failed' ? 2 : 1 });
      await worker.end('SIGTERM');
      await world.check();
      const after = await world.filesOf('DS-1');
      const isKept = (path: string): boolean => before.get(path)?.identity === after.get(path)?.identity;
      for (const path of row.kept ?? []) expect([path, isKept(path)]).toEqual([path, true]);
      for (const path of row.anew ?? []) expect([path, before.has(path), isKept(path)]).toEqual([path, true, false]);
    } finally {
      await broken?.mend();
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

/** Whatever stands already, asking again goes on with the same import. */
async function askAgain(system: TestSystem, id: string): Promise<void> {
  // It was perhaps halted between saying how the import ended and closing its request.
  await until(async () => (await system.get('/datasets/srcsys/DS-1')).body.import?.state === 'failed');
  expect(await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).toMatchObject({
    status: 202,
    body: { id, attempt: 2 },
  });
}
