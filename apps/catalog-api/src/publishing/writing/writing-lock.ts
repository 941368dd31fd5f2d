import type { EntityManager } from 'typeorm';
import { advisoryLocks } from '../../platform/database/advisory-locks.js';

/** Longer than this no request waits for other writes: it keeps a connection meanwhile, which readers need. */
const patienceMs = 10_000;

const take = `
  SELECT set_config('lock_timeout', $2, true), pg_advisory_xact_lock($1), set_config('lock_timeout', '0', true)`;

/**
 * Waits until no other record is being written; the lock ends with the transaction. One write at a time: names,
 * accessions and what refers to what are then never somebody else's to change.
 *
 * @param patience for how long it waits, in milliseconds, before Postgres' error says so; 0: as long as it takes
 */
export async function acquireWritingLock(manager: EntityManager, patience = patienceMs): Promise<void> {
  await manager.query(take, [advisoryLocks.writeRecords, `${String(patience)}ms`]);
}
