import { hasRedis, TestRedis } from './redis.js';

/** A kind of queue, once the tests have begun. */
export interface TestQueue {
  readonly backend: 'Postgres' | 'Redis';
  /** What a `TestSystem` is told of it. */
  readonly settings: Record<string, string>;
  /** The Redis it is on, if it is on one. */
  redis: TestRedis | null;
}

/**
 * Describes what is the same with either kind of queue. Without `redis-server` what needs it is skipped, which counts as
 * failed where everything must run.
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
