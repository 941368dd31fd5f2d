import { withTimeout } from '@rdc/http';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { isPostgres } from './backend.js';

const answerMs = 5_000;

/** What Postgres and Redis say of a name, a password or a database that they do not know. */
const refusal = /^(28|3D)\d\w{2,3}$|^(WRONGPASS|NOAUTH|NOPERM)\b/;

/**
 * Resolves when the queue's server answers, which one that is starting or restoring itself does not yet, although its
 * port is open. A refusal is an answer too: no time mends it, and the checks of the start say what it is.
 *
 * @param url the setting `QUEUE_URL`
 */
export async function pingQueue(url: string): Promise<void> {
  try {
    await (isPostgres(url) ? askPostgres(url) : askRedis(url));
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!refusal.test(code) && !refusal.test(message)) throw error;
  }
}

async function askPostgres(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: answerMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    void client.end().catch(() => undefined);
  }
}

async function askRedis(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: answerMs, retryStrategy: () => null });
  let reason: unknown;
  redis.on('error', (error) => (reason ??= error));
  try {
    await withTimeout(answerMs, redis.connect());
    await withTimeout(answerMs, redis.ping());
  } catch (error) {
    // What the connection met says more than that it is closed.
    throw reason ?? error;
  } finally {
    if (redis.status !== 'end') redis.disconnect();
  }
}
