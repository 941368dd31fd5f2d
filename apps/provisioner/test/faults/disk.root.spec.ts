import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ImportQueue } from '../../src/queue/import-queue.js';
import { PosixStorage } from '../../src/storage/posix/posix-storage.js';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';
import { until } from '../../../../test/support/until.ts';
import { hasHalted } from './support/halted.js';
import { inTurns } from './support/in-turns.js';
import { RedisDatabases } from './support/redis-databases.js';
import { World } from './support/world.js';

const run = promisify(execFile);

interface Loss {
  /** Mount options of the file system. */
  readonly options: string;
  /** Makes the storage unusable while an import runs. */
  readonly lose: (storage: string) => Promise<unknown>;
  readonly restore: (storage: string) => Promise<unknown>;
  /** Whether the import can still record its state. */
  readonly isRecorded: boolean;
}

const ballastIn = (storage: string): string => join(storage, 'data/ballast');
const withoutBallast = (storage: string): Promise<void> => rm(ballastIn(storage), { recursive: true });

const table: readonly (readonly [string, Loss])[] = [
  [
    'free space',
    {
      options: 'size=24m',
      lose: async (storage) => {
        await mkdir(ballastIn(storage));
        await run('dd', ['if=/dev/zero', `of=${ballastIn(storage)}/0`]).catch(() => undefined);
      },
      restore: withoutBallast,
      isRecorded: true,
    },
  ],
  [
    'inodes',
    {
      options: 'size=24m,nr_inodes=300',
      lose: async (storage) => {
        await mkdir(ballastIn(storage));
        for (let index = 0; index < 300; index += 1)
          await writeFile(join(ballastIn(storage), String(index)), '').catch(() => undefined);
      },
      restore: withoutBallast,
      isRecorded: true,
    },
  ],
  [
    'write access',
    {
      options: 'size=24m',
      lose: (storage) => run('mount', ['-o', 'remount,ro', storage]),
      restore: (storage) => run('mount', ['-o', 'remount,rw', storage]),
      isRecorded: false,
    },
  ],
];

describe('a storage', () => {
  let databases: RedisDatabases;
  let runs: Map<string, Promise<void>>;

  beforeAll(async () => {
    await buildServices();
    databases = await RedisDatabases.start();
    const losses = new Map(table);
    runs = inTurns([...losses.keys()], losses.size, (name) => rehearse(losses.get(name) as Loss));
  });

  afterAll(async () => {
    await Promise.allSettled(runs.values());
    await databases.stop();
  });

  it.each(table)('should make an import wait when it has no %s, and finish the import afterwards', async (name) => {
    await expect(runs.get(name)).resolves.toBeUndefined();
  });

  async function rehearse({ options, lose, restore, isRecorded }: Loss): Promise<void> {
    const system = await TestSystem.create(databases.next());
    await run('mount', ['-t', 'tmpfs', '-o', options, 'none', system.storage]);
    let worker: ServiceProcess | null = null;
    try {
      const small = Array.from({ length: 40 }, (__, index) => [`DS-1/${String(index)}`, String(index)] as const);
      await system.deliver('SUB-1', { ...Object.fromEntries(small), 'DS-1/large': Buffer.alloc(9 << 20, 1) });
      const world = await World.of(system);
      await system.startServer();
      worker = await ServiceProcess.startWorker({ ...system.environment, FAILPOINT: 'after_claim:1:SIGSTOP' });
      const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
      await hasHalted(worker);
      await lose(system.storage);
      worker.send('SIGCONT');
      if (isRecorded) {
        await until(async () => (await system.get(`/imports/${id}`)).body.state === 'waiting');
        expect((await system.get(`/imports/${id}`)).text).toContain('storage.no_space');
      } else await until(async () => (await delayed(system)) === 1);
      expect(await readdir(join(system.storage, 'data/raw'))).toEqual([]);
      await restore(system.storage);
      expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 1 });
      await worker.end('SIGTERM');
      await world.check();
    } finally {
      await worker?.end('SIGKILL');
      await run('umount', ['-l', system.storage]);
      await system.stop();
    }
  }

  /** Returns the number of delayed jobs. */
  async function delayed({ environment }: TestSystem): Promise<number> {
    const queue = new ImportQueue(environment['QUEUE_URL'] ?? '', () => undefined);
    const { delayed: count } = await queue.queue.getJobCounts('delayed');
    await queue.close();
    return count ?? 0;
  }

  it('should refuse an import with 507 when the free space is too small', async () => {
    const system = await TestSystem.create();
    await run('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'none', system.storage]);
    try {
      await system.deliver('SUB-1', { 'DS-1/large': Buffer.alloc(9 << 20, 1) });
      await system.startServer();
      expect((await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).status).toBe(507);
      expect((await system.get('/imports')).body.items).toEqual([]);
    } finally {
      await run('umount', ['-l', system.storage]);
      await system.stop();
    }
  });

  it('should fail its probe when staging and data are on different file systems', async () => {
    const system = await TestSystem.create();
    const raw = join(system.storage, 'data/raw');
    await mkdir(raw, { recursive: true });
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', raw]);
    try {
      await expect(new PosixStorage(system.storage).probe()).rejects.toThrow('must be on one file system');
    } finally {
      await run('umount', ['-l', raw]);
      await system.stop();
    }
  });
});
