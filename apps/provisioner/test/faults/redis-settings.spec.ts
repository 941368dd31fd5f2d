import { Redis } from 'ioredis';
import { probeRedis } from '../../src/queue/redis-probe.js';
import { TestRedis } from '../support/redis.js';

describe(probeRedis.name, () => {
  let redis: TestRedis;
  let client: Redis;

  beforeEach(async () => {
    redis = await TestRedis.start();
    client = new Redis(redis.url);
  });

  afterEach(async () => {
    client.disconnect();
    await redis.stop();
  });

  it('should return no warning when Redis keeps all keys', async () => {
    expect(await probeRedis(redis.url)).toEqual([]);
  });

  it('should return a warning when Redis has no append-only file', async () => {
    await client.config('SET', 'appendonly', 'no');
    expect(await probeRedis(redis.url)).toEqual([expect.stringContaining('Set appendonly to yes')]);
  });

  it('should throw an error when Redis evicts keys', async () => {
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await expect(probeRedis(redis.url)).rejects.toThrow(
      '(maxmemory-policy allkeys-lru). Set maxmemory-policy to noeviction',
    );
  });
});
