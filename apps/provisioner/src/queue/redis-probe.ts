import { Redis } from 'ioredis';

/** The lines of `INFO` about eviction and persistence. */
interface RedisInfo {
  readonly maxmemory_policy?: string;
  readonly aof_enabled?: string;
}

/**
 * Checks the configuration of a Redis server. Eviction could remove part of a job, which cannot be repaired. Without
 * persistence, a restart of Redis only delays imports until they are queued again.
 *
 * @returns warnings about the configuration
 * @throws Error if the server may evict keys or cannot be reached
 */
export async function probeRedis(url: string): Promise<readonly string[]> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 1, connectTimeout: 5_000 });
  redis.on('error', () => undefined);
  try {
    const { maxmemory_policy: policy, aof_enabled } = parseInfo(await redis.info());
    if (policy !== undefined && policy !== 'noeviction') {
      throw new Error(
        `Redis may evict jobs when its memory is full (maxmemory-policy ${policy}). Set maxmemory-policy to noeviction.`,
      );
    }
    return [
      ...(policy === undefined ? ['Redis does not report its maxmemory-policy. Make sure that it is noeviction.'] : []),
      ...(aof_enabled === '1'
        ? []
        : ['Redis has no append-only file, so a restart of Redis delays imports. Set appendonly to yes.']),
    ];
  } finally {
    redis.disconnect();
  }
}

function parseInfo(text: string): RedisInfo {
  return Object.fromEntries(text.split('\r\n').map((line) => line.split(':', 2))) as RedisInfo;
}
