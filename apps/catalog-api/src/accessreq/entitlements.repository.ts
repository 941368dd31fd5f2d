import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Decision, NextAccess, StandingAccess } from './decision.js';
import type { EntitlementKey } from './entitlement.js';

/** An access and the moment it was read, by the database's clock. */
interface AccessRow extends StandingAccess {
  readonly id: number;
  readonly now: Date;
}

/** How a decision is made from what stands; `null` when there was no access yet. */
export type Decide = (standing: StandingAccess | null, now: Date) => Decision;

const lockAccess = `
  SELECT id, status, expires_at AS "expiresAt", default_term AS "defaultTerm", revoked_at AS "revokedAt",
         date_trunc('milliseconds', clock_timestamp()) AS now
    FROM accesses WHERE application = $1 AND dataset_id = $2 AND subject = $3 FOR UPDATE`;

const addAccess = `
  INSERT INTO accesses (application, dataset_id, subject) VALUES ($1, $2, $3)
  ON CONFLICT (application, dataset_id, subject) DO NOTHING RETURNING id`;

/** A grant that waits for its person is looked after soon, in case nobody else lives to do it. */
const changeAccess = `
  UPDATE accesses
     SET status = $2::varchar, expires_at = $3, default_term = $4,
         revoked_at = CASE WHEN $5 THEN now() END,
         granted_at = CASE WHEN $6 AND $2 = 'active' THEN now() ELSE granted_at END,
         user_id = COALESCE(user_id, (SELECT id FROM users WHERE subject = accesses.subject)),
         attempts = CASE WHEN $6 THEN 0 ELSE attempts END,
         next_attempt_at = CASE WHEN $2 <> 'precreated' THEN NULL WHEN $6 THEN now() + interval '3 seconds'
                                ELSE next_attempt_at END,
         updated_at = now()
   WHERE id = $1`;

/** Entitlements as accesses in the database. */
@Injectable()
export class EntitlementsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Brings one entitlement to what a decision says, in a transaction of its own. Posts about the same entitlement wait
   * for each other, so every decision is made on what really stands.
   *
   * @returns null when there is no such dataset
   */
  apply(key: EntitlementKey, decide: Decide): Promise<Decision | null> {
    return this.dataSource.transaction(async (manager) => {
      const datasetId = await datasetOf(manager, key.resource);
      if (datasetId === null) return null;
      const names = [key.application, datasetId, key.user];
      const added = await manager.query<unknown[]>(addAccess, names);
      const [row] = await manager.query<[AccessRow]>(lockAccess, names);
      const standing = added.length > 0 ? null : row;
      const decision = decide(standing, row.now);
      if (decision.next) {
        await change(manager, row.id, decision.next);
        await this.audit.record(manager, {
          actor: 'accessreq',
          action: decision.outcome,
          resource: 'accesses',
          recordId: row.id,
          before: stateOf(standing),
          after: stateOf(decision.next),
        });
      }
      return decision;
    });
  }
}

async function datasetOf(manager: EntityManager, externalId: string): Promise<number | null> {
  const [dataset] = await manager.query<{ id: number }[]>(
    'SELECT id FROM datasets WHERE external_id = $1 FOR KEY SHARE',
    [externalId],
  );
  return dataset?.id ?? null;
}

async function change(manager: EntityManager, id: number, next: NextAccess): Promise<void> {
  const { status, expiresAt, defaultTerm, revoked, granted } = next;
  await manager.query(changeAccess, [id, status, expiresAt, defaultTerm, revoked, granted]);
}

function stateOf(access: { status: string; expiresAt: Date | null } | null): unknown {
  return access === null ? undefined : { status: access.status, expires_at: access.expiresAt };
}
