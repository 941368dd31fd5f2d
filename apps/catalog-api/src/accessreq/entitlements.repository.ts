import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Certainty, Decision, StandingAccess } from './decision.js';
import type { Claim, Entitlement, EntitlementKey } from './entitlement.js';
import { refusalReasons } from './refused-entitlement.entity.js';
import { RefusedEntitlementsRepository } from './refused-entitlements.repository.js';

/** An access and the moment it was read, by the database's clock. */
interface AccessRow extends StandingAccess {
  readonly id: number;
  readonly now: Date;
  readonly confirmedAt: Date | null;
}

/** What is said about an entitlement. */
export interface Statement {
  readonly ends: readonly (Date | null)[];
  readonly certainty: Certainty;
  /** When the access-request system was asked, by the database's clock; null when it did not say this. */
  readonly askedAt: Date | null;
}

/** An access as the entitlement that it came from. */
export interface StoredEntitlement extends Entitlement {
  readonly status: StandingAccess['status'];
  readonly confirmationDue: boolean;
}

/** How a decision is made from what stands; `null` when there was no access yet. */
export type Decide = (standing: StandingAccess | null, now: Date) => Decision;

const lockAccess = `
  SELECT id, status, expires_at AS "expiresAt", default_term AS "defaultTerm", revoked_at AS "revokedAt",
         confirmation_due AS "confirmationDue", confirmed_at AS "confirmedAt",
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

/** What is confirmed waits for nothing but perhaps its person; what is not is asked about soon. */
const noteConfirmation = `
  UPDATE accesses
     SET confirmation_due = $2, confirmed_at = COALESCE($3, confirmed_at),
         next_attempt_at = CASE WHEN $2 THEN now() + interval '3 seconds' WHEN status = 'precreated' THEN next_attempt_at END
   WHERE id = $1`;

const entitlementOf = `
  application, subject AS user, expires_at AS end, status, confirmation_due AS "confirmationDue",
  (SELECT external_id FROM datasets WHERE datasets.id = accesses.dataset_id) AS resource`;

/** The next time comes twice as late each time, but at least once an hour. */
const claimDue = `
  UPDATE accesses
     SET attempts = attempts + 1,
         next_attempt_at = now() + least(interval '1 hour', interval '2 seconds' * 2 ^ least(attempts, 12))
   WHERE id IN (SELECT id FROM accesses WHERE confirmation_due AND next_attempt_at <= now()
                 ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING ${entitlementOf}`;

/** Entitlements as accesses in the database. */
@Injectable()
export class EntitlementsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
    private readonly refused: RefusedEntitlementsRepository,
  ) {}

  /**
   * Brings one entitlement to what a decision says, in a transaction of its own. Posts about the same entitlement wait
   * for each other, so every decision is made on what really stands. A claim that is not done is kept for administrators.
   *
   * @returns null when there is no such dataset
   */
  apply(claim: Claim, statement: Statement, decide: Decide): Promise<Decision | null> {
    return this.dataSource.transaction(async (manager) => {
      const decision = await this.change(manager, claim.key, statement, decide);
      const reason = refusalReasons.find((each) => each === (decision?.outcome ?? 'unknown_resource'));
      if (reason) await this.refused.keep(manager, claim, reason);
      else await this.refused.forget(manager, claim.key);
      return decision;
    });
  }

  /** This moment, by the database's clock. */
  async now(): Promise<Date> {
    const [{ now }] = await this.dataSource.query<[{ now: Date }]>('SELECT clock_timestamp() AS now');
    return now;
  }

  /**
   * Entitlements that the access-request system is to be asked about now. Each is given to one replica only, and comes
   * again later should that replica fail.
   */
  async claimDue(limit: number): Promise<StoredEntitlement[]> {
    const [due] = await this.dataSource.query<[StoredEntitlement[], number]>(claimDue, [limit]);
    return due;
  }

  /** The access with this id; null when there is none that came from an entitlement. */
  async find(accessId: number): Promise<StoredEntitlement | null> {
    const [access] = await this.dataSource.query<StoredEntitlement[]>(
      `SELECT ${entitlementOf} FROM accesses WHERE id = $1 AND application IS NOT NULL AND subject IS NOT NULL`,
      [accessId],
    );
    return access ?? null;
  }

  private async change(
    manager: EntityManager,
    key: EntitlementKey,
    statement: Statement,
    decide: Decide,
  ): Promise<Decision | null> {
    const datasetId = await datasetOf(manager, key.resource);
    if (datasetId === null) return null;
    const names = [key.application, datasetId, key.user];
    const added = await manager.query<unknown[]>(addAccess, names);
    const [row] = await manager.query<[AccessRow]>(lockAccess, names);
    if (isOvertaken(row, statement)) return { outcome: 'unchanged' };
    const standing = added.length > 0 ? null : row;
    const decision = decide(standing, row.now);
    if (decision.next) await this.write(manager, row.id, standing, { ...decision, next: decision.next });
    else if (!standing) await manager.query('DELETE FROM accesses WHERE id = $1', [row.id]);
    if (statement.certainty !== 'posted' || row.confirmationDue) await note(manager, row.id, statement);
    return decision;
  }

  private async write(
    manager: EntityManager,
    id: number,
    standing: StandingAccess | null,
    { outcome, next }: Required<Decision>,
  ): Promise<void> {
    const { status, expiresAt, defaultTerm, revoked, granted } = next;
    await manager.query(changeAccess, [id, status, expiresAt, defaultTerm, revoked, granted]);
    await this.audit.record(manager, {
      actor: 'accessreq',
      action: outcome,
      resource: 'accesses',
      recordId: id,
      before: stateOf(standing),
      after: stateOf(next),
    });
  }
}

/** Whether the access-request system said something else since it was asked for this. */
function isOvertaken({ confirmedAt }: AccessRow, { askedAt }: Statement): boolean {
  return askedAt !== null && confirmedAt !== null && confirmedAt > askedAt;
}

async function note(manager: EntityManager, id: number, { certainty, askedAt }: Statement): Promise<void> {
  await manager.query(noteConfirmation, [id, certainty === 'unconfirmed', askedAt]);
}

async function datasetOf(manager: EntityManager, externalId: string): Promise<number | null> {
  const [dataset] = await manager.query<{ id: number }[]>(
    'SELECT id FROM datasets WHERE external_id = $1 FOR KEY SHARE',
    [externalId],
  );
  return dataset?.id ?? null;
}

function stateOf(access: { status: string; expiresAt: Date | null } | null): unknown {
  return access === null ? undefined : { status: access.status, expires_at: access.expiresAt };
}
