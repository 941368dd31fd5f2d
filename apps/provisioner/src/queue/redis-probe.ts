import { Redis } from 'ioredis';

/** The lines of `INFO` that matter: whether keys are evicted when memory is full, and whether writes are kept on disk. */
interface RedisFacts {
  readonly maxmemory_policy?: string;
  readonly aof_enabled?: string;
}

/**
 * Looks at how a Redis is set up. One that throws keys away when its memory is full would leave half of a job, which
 * nothing repairs; one that keeps nothing on disk only costs the time until open imports are queued again.
 *
 * @returns sentences on what is a risk
 * @throws Error in one sentence when it cannot be used
 */
export async function probeRedis(url: string): Promise<readonly string[]> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 1, connectTimeout: 5_000 });
  redis.on('error', () => undefined);
  try {
    const { maxmemory_policy: policy, aof_enabled } = parseInfo(await redis.info());
    if (policy !== undefined && policy !== 'noeviction') {
      throw new Error(
        `Redis is set to throw jobs away when memory is full; set maxmemory-policy ${policy} to noeviction.`,
      );
    }
    return [
      ...(policy === undefined ? ['Redis does not say its maxmemory-policy; it must be noeviction.'] : []),
      ...(aof_enabled === '1'
        ? []
        : ['Redis has no append-only file (appendonly yes): a restart of it delays imports.']),
    ];
  } finally {
    redis.disconnect();
  }
}

function parseInfo(text: string): RedisFacts {
  return Object.fromEntries(text.split('\r\n').map((line) => line.split(':', 2))) as RedisFacts;
}
