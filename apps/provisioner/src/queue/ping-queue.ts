import { withTimeout } from '@rdc/http';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { isPostgres } from './backend.js';

const answerMs = 5_000;

/** The error codes and messages of Postgres and Redis for an unknown name, password or database. */
const refusal = /^(28|3D)\d\w{2,3}$|^(WRONGPASS|NOAUTH|NOPERM)\b/;

/**
 * Checks that the queue's server answers. A server that is starting or restoring its data does not answer, although its
 * port is open. An error reply about credentials or the database counts as an answer: waiting would not fix it, and the
 * startup checks report it.
 *
 * @param url the setting `QUEUE_URL`
 * @throws Error if the server does not answer within five seconds
 */
export async function pingQueue(url: string): Promise<void> {
  try {
    await (isPostgres(url) ? pingPostgres(url) : pingRedis(url));
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!refusal.test(code) && !refusal.test(message)) throw error;
  }
}

async function pingPostgres(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: answerMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    void client.end().catch(() => undefined);
  }
}

async function pingRedis(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: answerMs, retryStrategy: () => null });
  let reason: unknown;
  redis.on('error', (error) => (reason ??= error));
  try {
    await withTimeout(answerMs, redis.connect());
    await withTimeout(answerMs, redis.ping());
  } catch (error) {
    // The first error of the connection is more specific than the error about the closed connection.
    throw reason ?? error;
  } finally {
    if (redis.status !== 'end') redis.disconnect();
  }
}
