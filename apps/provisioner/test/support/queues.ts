import { hasRedis, TestRedis } from './redis.js';

/** A backend of the queue during a test. */
export interface TestQueue {
  readonly backend: 'Postgres' | 'Redis';
  /** The settings that select the backend. */
  readonly settings: Record<string, string>;
  /** The Redis server, if the backend is Redis. */
  redis: TestRedis | null;
}

/**
 * Runs a suite with each backend of the queue. Without `redis-server`, the suite with Redis is skipped. A run that
 * requires all tests counts a skipped test as failed.
 */
export function onEachQueue(title: string, suite: (queue: TestQueue) => void): void {
  for (const backend of ['Postgres', 'Redis'] as const) {
    const describeIt = backend === 'Redis' && !hasRedis ? describe.skip : describe;
    describeIt(`${title} on ${backend}`, () => {
      const queue: TestQueue = { backend, settings: {}, redis: null };
      beforeAll(async () => {
        if (backend === 'Postgres') return;
        queue.redis = await TestRedis.start();
        queue.settings['QUEUE_URL'] = queue.redis.url;
      });
      suite(queue);
      afterAll(() => queue.redis?.stop());
    });
  }
}
