import { makeBucket, s3Settings } from '../support/s3.js';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';
import { hasFaketime, ShiftedClock } from './support/shifted-clock.js';
import { World } from './support/world.js';

describe('a worker whose clock is a day ahead of its store’s', () => {
  // Without faketime the test is reported as skipped.
  (hasFaketime ? it : it.skip)('should sign its calls with the time of the store and finish an import', async () => {
    await buildServices();
    const { url, bucket } = await makeBucket();
    const system = await TestSystem.create(s3Settings('STORAGE', url));
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-1/large': Buffer.alloc(17 << 20, 1) });
    const [world, clock] = [await World.of(system, bucket), await ShiftedClock.in(system.root)];
    await clock.shift('+1d');
    await system.startServer();
    const worker = await ServiceProcess.startWorker({ ...system.environment, ...clock.settings });
    const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
    expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 1 });
    await worker.end('SIGTERM');
    await world.check();
    await system.stop();
  });
});
