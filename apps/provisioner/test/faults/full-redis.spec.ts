import { Redis } from 'ioredis';
import { setTimeout as pause } from 'node:timers/promises';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { hasRedis, TestRedis } from '../support/redis.js';
import { TestSystem } from '../support/system.js';
import { until } from '../../../../test/support/until.ts';

/** The duration of the outage in milliseconds, in which the connections fail several times. */
const awayMs = 8_000;

(hasRedis ? describe : describe.skip)('a provisioner whose Redis fails', () => {
  let redis: TestRedis;
  let system: TestSystem;

  beforeAll(() => buildServices());

  beforeEach(async () => {
    redis = await TestRedis.start();
    system = await TestSystem.create({ QUEUE_URL: redis.url });
    await system.deliver('SUB-1', { 'DS-1/file': 'content' });
  });

  afterEach(async () => {
    await system.stop();
    await redis.stop();
  });

  it('should answer reads, refuse imports with the reason and recover when Redis has no memory left', async () => {
    await system.startServer();
    const client = new Redis(redis.url);
    await client.config('SET', 'maxmemory', '1');
    const refused = await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' });
    expect([refused.status, refused.body.more]).toEqual([503, expect.objectContaining({ reason: 'memory_full' })]);
    expect((await system.get('/datasets/srcsys/diff')).status).toBe(200);
    expect((await system.get('/imports')).body.items).toEqual([]);
    await client.config('SET', 'maxmemory', '0');
    client.disconnect();
    expect((await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).status).toBe(202);
  });

  it.each(['provisioner/dist/main.js', 'provisioner/dist/worker.js'] as const)(
    'should log one line in %s when Redis is down and another line when Redis responds again',
    async (program) => {
      const settings = { ...system.environment, LOG_LEVEL: 'info' };
      const service = await ServiceProcess.start(program, settings);
      try {
        await redis.kill();
        await pause(awayMs);
        await redis.restart(false);
        await until(async () => (await service.isReady()) && linesOf(service).length >= 2);
        expect(linesOf(service)).toEqual([
          expect.stringMatching(/^queue: /),
          expect.stringMatching(/^queue: works again after \d+ failures in \d+ s$/),
        ]);
      } finally {
        await service.end('SIGKILL');
      }
    },
  );
});

/** Returns the messages of the log that concern the queue. */
function linesOf({ output }: ServiceProcess): string[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { msg: string }).msg)
    .filter((message) => message.startsWith('queue'));
}
