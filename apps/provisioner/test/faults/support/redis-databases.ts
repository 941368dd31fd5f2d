import { TestRedis } from '../../support/redis.js';

/** One Redis for many systems, a database of it for each. */
export class RedisDatabases {
  private taken = 0;

  private constructor(private readonly redis: TestRedis) {}

  static async start(): Promise<RedisDatabases> {
    return new RedisDatabases(await TestRedis.start());
  }

  /** The setting `QUEUE_URL` of the next; there are sixteen. */
  next(): { readonly QUEUE_URL: string } {
    return { QUEUE_URL: `${this.redis.url}/${String(this.taken++)}` };
  }

  stop(): Promise<void> {
    return this.redis.stop();
  }
}
