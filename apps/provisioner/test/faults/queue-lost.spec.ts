import { DependencyDownError } from '@rdc/errors';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ImportQueue } from '../../src/queue/import-queue.js';
import { TestRedis } from '../support/redis.js';
import { aRequest } from '../support/requests.js';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';
import { until } from '../../../../test/support/until.ts';
import { World } from './support/world.js';

const run = promisify(execFile);

/** A time in milliseconds that exceeds the lock of a job. */
const outageMs = 12_000;

interface Loss {
  readonly begin: (redis: TestRedis) => Promise<void> | void;
  readonly end: (redis: TestRedis) => Promise<void> | void;
  /** The status of a POST during the outage. */
  readonly answer: number;
}

const table: readonly (readonly [string, Loss])[] = [
  ['killed, and restarted with its data', { begin: (r) => r.kill(), end: (r) => r.restart(false), answer: 503 }],
  ['killed, and started empty', { begin: (r) => r.kill(), end: (r) => r.restart(true), answer: 503 }],
  ['emptied', { begin: (r) => r.flush(), end: () => undefined, answer: 202 }],
  [
    'silent for longer than a lock holds',
    {
      begin: (r) => {
        r.halt();
      },
      end: async (r) => {
        await setTimeout(outageMs); // the lock expires by time
        r.resume();
      },
      answer: 503,
    },
  ],
];

describe('an outage of Redis', () => {
  it.each(table)('should lose no accepted import when Redis is %s', async (_, loss) => {
    const redis = await TestRedis.start();
    const system = await TestSystem.create({ QUEUE_URL: redis.url, IMPORT_CONCURRENCY: '1' });
    try {
      await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-2/a': '2', 'DS-3/a': '3' });
      await run('truncate', ['-s', '600M', join(system.source, 'SUB-1/DS-1/large')]);
      const world = await World.of(system);
      await system.startServer();
      await system.startWorker();
      const ask = (dataset_id: string) => system.post('/datasets/srcsys/import', { dataset_id });
      const accepted = [await ask('DS-1'), await ask('DS-2')];
      await loss.begin(redis);
      const asked = await ask('DS-3');
      expect(asked.status).toBe(loss.answer);
      if (asked.status === 503) expect((await system.get('/datasets/srcsys/DS-3')).body.state).toBe('not_imported');
      await loss.end(redis);
      await system.startWorker();
      if (asked.status === 503) accepted.push(await ask('DS-3'));
      for (const { body } of accepted) {
        expect(await system.ended(body.id)).toMatchObject({ state: 'finished', attempt: 1 });
      }
      await world.check();
    } finally {
      await system.stop();
      await redis.stop();
    }
  });
});

describe('a worker whose Redis is down', () => {
  it('should end when it is stopped without waiting for Redis', async () => {
    await buildServices();
    const redis = await TestRedis.start();
    const system = await TestSystem.create({ QUEUE_URL: redis.url });
    const worker = await ServiceProcess.startWorker(system.environment);
    await redis.kill();
    expect(await worker.end('SIGTERM')).toBe(0);
    await system.stop();
    await redis.stop();
  });

  it('should leave its import to another worker when it is stopped during the import', async () => {
    await buildServices();
    const redis = await TestRedis.start();
    const system = await TestSystem.create({ QUEUE_URL: redis.url });
    const worker = await ServiceProcess.startWorker({ ...system.environment, COPY_RATE_LIMIT: '1M' });
    try {
      await system.deliver('SUB-1', { 'DS-1/large': Buffer.alloc(60 << 20) });
      await system.startServer();
      const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
      await until(async () => (await system.get(`/imports/${id}`)).body.progress.bytes_done > 0);
      redis.halt();
      expect(await worker.end('SIGTERM')).toBe(0);
      redis.resume();
      await system.startWorker();
      expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 1 });
    } finally {
      redis.resume();
      await worker.end('SIGKILL');
      await system.stop();
      await redis.stop();
    }
  });
});

describe('the comparison of the log with a queue', () => {
  it('should fail after a timeout when the queue does not respond', async () => {
    const redis = await TestRedis.start();
    const queue = new ImportQueue(redis.url, () => undefined);
    await queue.waitUntilReady();
    const requests = Array.from({ length: 1_001 }, (_, at) =>
      aRequest(`${'0'.repeat(22)}${String(1_000 + at)}`, 'DS-1'),
    );
    await queue.addAll(requests);
    expect(await queue.countJobs()).toMatchObject({ waiting: 1_001 });
    redis.halt();
    await expect(queue.addAll(requests)).rejects.toThrow(DependencyDownError);
    redis.resume();
    await queue.close();
    await redis.stop();
  });
});
