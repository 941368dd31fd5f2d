import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PosixStorage } from '../../src/storage/posix/posix-storage.js';
import { buildProcesses, ServiceProcess } from '../support/service-process.js';
import { TestSystem, until } from '../support/system.js';
import { hasHalted } from './support/halted.js';
import { World } from './support/world.js';

const run = promisify(execFile);

/** What of a small file system is used up while an import runs, and how that is filled. */
const table: readonly (readonly [string, string, (folder: string) => Promise<unknown>])[] = [
  ['room', 'size=24m', (folder) => run('dd', ['if=/dev/zero', `of=${folder}/ballast`]).catch(() => undefined)],
  [
    'inodes',
    'size=24m,nr_inodes=300',
    async (folder) => {
      for (let at = 0; at < 300; at += 1) await writeFile(join(folder, String(at)), '').catch(() => undefined);
    },
  ],
];

describe('a storage without', () => {
  beforeAll(async () => {
    await buildProcesses();
  });

  it.each(table)('%s should make an import wait and finish it once there is some', async (_, size, fill) => {
    const system = await TestSystem.create();
    await run('mount', ['-t', 'tmpfs', '-o', size, 'none', system.storage]);
    const ballast = join(system.storage, 'data', 'ballast');
    let worker: ServiceProcess | null = null;
    try {
      const small = Array.from({ length: 40 }, (__, at) => [`DS-1/${String(at)}`, String(at)] as const);
      await system.deliver('SUB-1', { ...Object.fromEntries(small), 'DS-1/large': Buffer.alloc(9 << 20, 1) });
      const world = await World.of(system);
      await system.startServer();
      worker = await ServiceProcess.startWorker({ ...system.environment, FAILPOINT: 'after_claim:1:SIGSTOP' });
      const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
      await hasHalted(worker);
      await mkdir(ballast);
      await fill(ballast);
      worker.send('SIGCONT');
      await until(async () => (await system.get(`/imports/${id}`)).body.state === 'waiting');
      expect((await system.get(`/imports/${id}`)).text).toContain('storage.no_space');
      expect(await readdir(join(system.storage, 'data/raw'))).toEqual([]);
      await rm(ballast, { recursive: true });
      expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 1 });
      await worker.end('SIGTERM');
      await world.check();
    } finally {
      await worker?.end('SIGKILL');
      await run('umount', ['-l', system.storage]);
      await system.stop();
    }
  });

  it('enough room should answer 507, and have taken nothing', async () => {
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

  it('one file system for staging and data should be refused at the start', async () => {
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
