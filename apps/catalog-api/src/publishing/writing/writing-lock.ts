import type { EntityManager } from 'typeorm';
import { advisoryLocks } from '../../platform/database/advisory-locks.js';

/** The maximum time for which a request waits. A waiting request holds a connection, which readers need. */
const lockTimeoutMs = 10_000;

const take = `
  SELECT set_config('lock_timeout', $2, true), pg_advisory_xact_lock($1), set_config('lock_timeout', '0', true)`;

/**
 * Acquires the lock of all writes of records until the end of the transaction. No other transaction then changes names,
 * accessions or references.
 *
 * @param timeoutMs the maximum waiting time, after which the statement fails; 0 for no limit
 */
export async function acquireWritingLock(manager: EntityManager, timeoutMs = lockTimeoutMs): Promise<void> {
  await manager.query(take, [advisoryLocks.writeRecords, `${String(timeoutMs)}ms`]);
}
