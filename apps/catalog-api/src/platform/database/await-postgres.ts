import { awaitDependency, type Patience } from '@rdc/http';
import { Client } from 'pg';
import type { DatabaseSettings } from './database.settings.js';
import { isPostgresDown } from './postgres-errors.js';

/** The time in milliseconds for which one attempt waits for a connection. */
const attemptTimeoutMs = 5_000;

/**
 * Waits until Postgres accepts a connection, with a line in the log at the beginning and the end of the wait.
 *
 * @throws AbsentDependencyError if Postgres does not answer in time
 * @throws the error of Postgres if it refuses the connection, for example because the password is wrong
 */
export function awaitPostgres(
  { DATABASE_URL }: DatabaseSettings,
  patience: Omit<Patience, 'isTemporary'>,
): Promise<void> {
  return awaitDependency('Postgres at DATABASE_URL', () => connectOnce(DATABASE_URL), {
    ...patience,
    isTemporary: isPostgresDown,
  });
}

async function connectOnce(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: attemptTimeoutMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    await client.end().catch(() => undefined);
  }
}
