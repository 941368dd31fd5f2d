import { TestRedis } from '../../support/redis.js';

/** One Redis server with a separate database for each of many systems. */
export class RedisDatabases {
  private taken = 0;

  private constructor(private readonly redis: TestRedis) {}

  static async start(): Promise<RedisDatabases> {
    return new RedisDatabases(await TestRedis.start());
  }

  /** Returns the setting `QUEUE_URL` of the next database. There are sixteen. */
  next(): { readonly QUEUE_URL: string } {
    return { QUEUE_URL: `${this.redis.url}/${String(this.taken++)}` };
  }

  stop(): Promise<void> {
    return this.redis.stop();
  }
}
