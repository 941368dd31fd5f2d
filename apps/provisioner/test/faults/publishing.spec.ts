import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failpoint } from '../../src/process/failpoint.js';
import { TestRedis } from '../support/redis.js';
import { layFiles } from '../support/delivery.js';
import { buildProcesses, ServiceProcess } from '../support/service-process.js';
import { TestSystem, until } from '../support/system.js';
import { hasHalted } from './support/halted.js';
import { World } from './support/world.js';

/** A `sync` that waits for as long as a file is there. */
const heldSync = '#!/bin/sh\nwhile [ -e "$HELD" ]; do sleep 0.05; done\nexec /bin/sync "$@"\n';

describe('an import that is cancelled', () => {
  let redis: TestRedis;
  let system: TestSystem;
  let world: World;
  let worker: ServiceProcess;

  beforeAll(async () => {
    await buildProcesses();
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
  const cancel = (id: string): ReturnType<TestSystem['post']> => system.post(`/imports/${id}/cancel`);
  const start = async (settings: Record<string, string>): Promise<void> => {
    worker = await ServiceProcess.startWorker({ ...system.environment, ...settings });
  };

  /** Asks for DS-1. @returns its import, once the worker has halted there */
  async function haltedAt(failpoint: Failpoint): Promise<string> {
    await start({ FAILPOINT: `${failpoint}:1:SIGSTOP` });
    const id = await ask();
    await hasHalted(worker);
    return id;
  }

  it('while it is published should go on, also when its worker is stopped, and be told so', async () => {
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
    await worker.exited();
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 1 });
    await world.check();
  });

  it('before anybody can know that it is published should be finished', async () => {
    const id = await haltedAt('before_rename');
    // On a slow machine it is known.
    expect([202, 409]).toContain((await cancel(id)).status);
    worker.send('SIGCONT');
    expect(await system.ended(id)).toMatchObject({ state: 'finished' });
    await worker.end('SIGTERM');
    await world.check();
  });

  it('and whose worker is killed before it has published should not be there, and can be asked for again', async () => {
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

  it('just when its worker begins should not be published', async () => {
    const id = await haltedAt('before_start');
    expect(await cancel(id)).toMatchObject({ status: 202, body: { state: 'cancelled' } });
    worker.send('SIGCONT');
    // One at a time: when this has ended, the worker is through with the other.
    expect(await system.ended(await ask('DS-2'))).toMatchObject({ state: 'finished' });
    await worker.end('SIGTERM');
    await world.check();
  });
});
