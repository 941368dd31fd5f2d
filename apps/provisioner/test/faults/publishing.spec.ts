import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failpoint } from '../../src/process/failpoint.js';
import { TestRedis } from '../support/redis.js';
import { layFiles } from '../support/delivery.js';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';
import { until } from '../../../../test/support/until.ts';
import { hasHalted } from './support/halted.js';
import { World } from './support/world.js';

/** A `sync` that waits while a file exists. */
const heldSync = '#!/bin/sh\nwhile [ "$2" != /proc ] && [ -e "$HELD" ]; do sleep 0.05; done\nexec /bin/sync "$@"\n';

describe('an import that is cancelled', () => {
  let redis: TestRedis;
  let system: TestSystem;
  let world: World;
  let worker: ServiceProcess;

  beforeAll(async () => {
    await buildServices();
    redis = await TestRedis.start();
  });

  beforeEach(async () => {
    await redis.flush();
    system = await TestSystem.create({ QUEUE_URL: redis.url, IMPORT_CONCURRENCY: '1' });
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-2/a': '2' });
    world = await World.of(system);
    await system.startServer();
  });

  afterEach(async () => {
    await worker.end('SIGKILL');
    await system.stop();
  });

  afterAll(() => redis.stop());

  const ask = async (dataset = 'DS-1'): Promise<string> =>
    (await system.post('/datasets/srcsys/import', { dataset_id: dataset })).body.id;
  const cancel = (id: string) => system.post(`/imports/${id}/cancel`);
  const start = async (settings: Record<string, string>): Promise<void> => {
    worker = await ServiceProcess.startWorker({ ...system.environment, ...settings });
  };

  /** Requests DS-1. @returns the id of its import when the worker has stopped itself at the failpoint */
  async function haltedAt(failpoint: Failpoint): Promise<string> {
    await start({ FAILPOINT: `${failpoint}:1:SIGSTOP` });
    const id = await ask();
    await hasHalted(worker);
    return id;
  }

  it('should refuse the cancellation and finish when it is being published and its worker is stopped', async () => {
    const [bin, held] = [join(system.root, 'bin'), join(system.root, 'held')];
    await layFiles(system.root, { held: '', 'bin/sync': heldSync });
    await chmod(join(bin, 'sync'), 0o755);
    await start({ PATH: `${bin}:${process.env['PATH'] ?? ''}`, HELD: held });
    const id = await ask();
    await until(async () => (await system.get(`/imports/${id}`)).text.includes('"phase":"publishing"'));
    expect(await cancel(id)).toMatchObject({ status: 409, body: { more: { code: 'import.state' } } });
    expect(await ask()).toBe(id);
    worker.send('SIGTERM');
    await rm(held);
    await worker.ended();
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 1 });
    await world.check();
  });

  it('should finish when it is cancelled just before the rename', async () => {
    const id = await haltedAt('before_rename');
    // On a slow machine, the worker may already have recorded that the publication has begun.
    expect([202, 409]).toContain((await cancel(id)).status);
    worker.send('SIGCONT');
    expect(await system.ended(id)).toMatchObject({ state: 'finished' });
    await worker.end('SIGTERM');
    await world.check();
  });

  it('should end as cancelled and allow a new request when its worker is killed before the rename', async () => {
    const id = await haltedAt('before_rename');
    await cancel(id);
    await worker.end('SIGKILL');
    await redis.flush();
    await start({});
    expect(await system.ended(id)).toMatchObject({ state: 'cancelled' });
    expect(await system.ended(await ask())).toMatchObject({ state: 'finished' });
    await worker.end('SIGTERM');
    await world.check();
  });

  it('should not be published when its worker is just starting', async () => {
    const id = await haltedAt('before_start');
    expect(await cancel(id)).toMatchObject({ status: 202, body: { state: 'cancelled' } });
    worker.send('SIGCONT');
    // The worker runs one import at a time, so the first import has ended when the second import has ended.
    expect(await system.ended(await ask('DS-2'))).toMatchObject({ state: 'finished' });
    await worker.end('SIGTERM');
    await world.check();
  });
});
