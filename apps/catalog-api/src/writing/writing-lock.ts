import type { EntityManager } from 'typeorm';
import { advisoryLocks } from '../database/advisory-locks.js';

/**
 * Waits until no other record is being written; the lock ends with the transaction. One write at a time: names,
 * accessions and what refers to what are then never somebody else's to change.
 */
export async function takeWritingLock(manager: EntityManager): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.writeRecords]);
}
