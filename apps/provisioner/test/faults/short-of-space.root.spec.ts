import { execFile } from 'node:child_process';
import { rm, writeFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SpacePlan } from '../../src/model/space-plan.js';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';
import { until } from '../../../../test/support/until.ts';
import { World } from './support/world.js';

const run = promisify(execFile);
const mebibyte = 1024 * 1024;
const request = { dataset_id: 'DS-1' };

describe('an import whose worker was killed when the storage holds most of the delivery', () => {
  let system: TestSystem;
  let workers: ServiceProcess[];

  beforeAll(() => buildServices());

  beforeEach(async () => {
    system = await TestSystem.create();
    workers = [];
  });

  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
    await run('umount', ['-l', system.storage]);
    await system.stop();
  });

  async function start(settings: Record<string, string> = {}): Promise<ServiceProcess> {
    const worker = await ServiceProcess.startWorker({ ...system.environment, ...settings });
    workers.push(worker);
    return worker;
  }

  async function plan(): Promise<{ readonly fits: boolean; readonly space: SpacePlan }> {
    const { text } = await system.post('/datasets/srcsys/import?dry_run=true', request);
    return JSON.parse(text) as { fits: boolean; space: SpacePlan };
  }

  it('should wait with the missing bytes and finish as soon as the rest of the delivery fits', async () => {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'none', system.storage]);
    const sizes = [30, 30, 1, 29, 30];
    await system.deliver(
      'SUB-1',
      Object.fromEntries(
        sizes.map((size, at) => [`DS-1/${String(at)}`, Buffer.alloc(size * mebibyte, String(at + 1))]),
      ),
    );
    const world = await World.of(system);
    await system.startServer();
    const first = await start({ COPY_RATE_LIMIT: '30M' });
    const { id } = (await system.post('/datasets/srcsys/import', request)).body;
    await until(async () => (await system.get(`/imports/${id}`)).body.progress.bytes_done > 75 * mebibyte);
    await first.end('SIGKILL');

    const { bavail, bsize } = await statfs(system.storage);
    const ballast = join(system.storage, 'ballast');
    await writeFile(ballast, Buffer.alloc(bavail * bsize - mebibyte));
    await start();
    await until(async () => (await system.get(`/imports/${id}`)).body.state === 'waiting', 60_000);
    const { error, plan: planned } = (await system.get(`/imports/${id}`)).body;
    expect(error).toMatchObject({ code: 'storage.no_space', space: { needed_bytes: 120 * mebibyte } });
    expect(planned).toMatchObject({ fits: false });
    expect(planned?.space.staged_bytes).toBeGreaterThan(60 * mebibyte);
    await rm(ballast);
    expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 1 });
    await Promise.all(workers.map((worker) => worker.end('SIGTERM')));
    await world.check();
  });

  it('should finish when the inodes suffice only for the rest of the delivery', async () => {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=160m,nr_inodes=2600', 'none', system.storage]);
    const names = Array.from({ length: 2000 }, (_, at) => [`DS-1/${String(at)}`, '1'] as const);
    await system.deliver('SUB-1', Object.fromEntries(names));
    const world = await World.of(system);
    await system.startServer();
    const first = await start({ FAILPOINT: 'after_journal:5' });
    const { id } = (await system.post('/datasets/srcsys/import', request)).body;
    expect(await first.signalOfEnd()).toBe('SIGKILL');
    await start();
    const ended = await system.ended(id);
    expect(ended).toMatchObject({ state: 'finished', attempt: 1 });
    expect(ended.plan).toMatchObject({ fits: true, space: { needed_files: 2000, missing_files: 0 } });
    await Promise.all(workers.map((worker) => worker.end('SIGTERM')));
    await world.check();
  });

  it('should refuse the request with the missing inodes when the storage has too few', async () => {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=160m,nr_inodes=300', 'none', system.storage]);
    await system.deliver(
      'SUB-1',
      Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`DS-1/${String(at)}`, '1'])),
    );
    await system.startServer();
    await start();
    expect(await plan()).toMatchObject({ fits: false, space: { needed_files: 400 } });
    const refused = await system.post('/datasets/srcsys/import', request);
    expect([refused.status, refused.body.more]).toMatchObject([507, { code: 'storage.no_space', needed_files: 400 }]);
  });
});
