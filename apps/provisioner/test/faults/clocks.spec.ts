import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { hasRedis, TestRedis } from '../support/redis.js';
import { TestSystem } from '../support/system.js';
import { until } from '../../../../test/support/until.ts';
import { hasFaketime, ShiftedClock } from './support/shifted-clock.js';
import { World } from './support/world.js';

// Without these programs the tests are reported as skipped.
const itOrSkip = hasFaketime && hasRedis ? it : it.skip;

describe('a worker whose clock jumps during a file', () => {
  let redis: TestRedis | null = null;
  let system: TestSystem;
  let worker: ServiceProcess;

  beforeAll(async () => {
    await buildServices();
    if (hasRedis) redis = await TestRedis.start();
  });

  afterEach(async () => {
    await worker.end('SIGKILL');
    await system.stop();
  });

  afterAll(() => redis?.stop());

  itOrSkip.each([
    ['+1d', 'Redis'],
    ['-1d', 'Redis'],
    ['-1d', 'Postgres'],
  ])(
    'should finish this and the next import when the clock jumps by %s and its queue is on %s',
    async (shift, queue) => {
      system = await TestSystem.create(queue === 'Redis' ? { QUEUE_URL: redis?.url ?? '' } : {});
      await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-1/large': Buffer.alloc(12 << 20, 1), 'DS-2/a': '2' });
      const [world, clock] = [await World.of(system), await ShiftedClock.in(system.root)];
      await system.startServer();
      worker = await ServiceProcess.startWorker({ ...system.environment, ...clock.settings, COPY_RATE_LIMIT: '4M' });
      const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
      await until(async () => (await system.get(`/imports/${id}`)).body.progress.bytes_done > 0);
      await clock.shift(shift);
      expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 1 });
      const next = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-2' })).body;
      expect(await system.ended(next.id)).toMatchObject({ state: 'finished', attempt: 1 });
      expect(await worker.end('SIGTERM')).toBe(0);
      await world.check();
    },
  );
});
