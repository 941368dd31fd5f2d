import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { isPostgresDown } from '../../platform/database/postgres-errors.js';
import { runPreparedIn } from '../../platform/database/prepared.js';
import type { TrustLevel, Decision, CurrentAccess } from './decision.js';
import type { Claim, Entitlement } from './entitlement.js';
import { refusalReasons, type RefusalReason } from './refused-entitlement.entity.js';
import { RefusedEntitlementsRepository } from './refused-entitlements.repository.js';

/** An access and the moment it was read, by the database's clock. */
interface AccessRow extends CurrentAccess {
  /** Place of its claim among those that are decided together. */
  readonly position: number;
  readonly id: number;
  readonly now: Date;
  readonly confirmedAt: Date | null;
}

/** What is said about an entitlement. */
export interface Statement {
  readonly ends: readonly (Date | null)[];
  readonly trust: TrustLevel;
  /** When the access-request system was asked, by the database's clock; null when it did not say this. */
  readonly requestedAt: Date | null;
}

/** An access as the entitlement that it came from. */
export interface StoredEntitlement extends Entitlement {
  readonly status: CurrentAccess['status'];
  readonly confirmationDue: boolean;
}

/** A claim, and what there is to believe about it. */
export interface CheckedClaim {
  readonly claim: Claim;
  readonly statement: Statement;
}

/** How a decision is made from what stands; `null` when there was no access yet. */
export type Decide = (current: CurrentAccess | null, statement: Statement, now: Date) => Decision;

/** What is decided about an access. */
interface Change {
  readonly row: AccessRow;
  /** What stood before; null when the access was made for this decision. */
  readonly current: CurrentAccess | null;
  readonly statement: Statement;
  readonly decision: Decision;
}

const findDatasets = `
  SELECT id, external_id AS resource FROM datasets WHERE external_id = ANY ($1::text[]) ORDER BY id FOR KEY SHARE`;

/** The claims in `$1`, in the order in which every batch takes its accesses, so that no two wait for each other. */
const claimed = `
  jsonb_to_recordset($1::jsonb) AS claim (position integer, application integer, dataset_id integer, subject text)`;

const addAccesses = `
  INSERT INTO accesses (application, dataset_id, subject)
  SELECT application, dataset_id, subject FROM ${claimed} ORDER BY application, dataset_id, subject
  ON CONFLICT (application, dataset_id, subject) DO NOTHING RETURNING id`;

const lockAccesses = `
  SELECT claim.position, id, status, expires_at AS "expiresAt", default_term AS "defaultTerm", revoked_at AS "revokedAt",
         confirmation_due AS "confirmationDue", confirmed_at AS "confirmedAt",
         date_trunc('milliseconds', clock_timestamp()) AS now
    FROM accesses JOIN ${claimed} USING (application, dataset_id, subject)
   ORDER BY application, dataset_id, subject FOR UPDATE OF accesses`;

/** A grant that waits for its person is looked after soon, in case nobody else lives to do it. */
const changeAccesses = `
  UPDATE accesses
     SET status = next.status, expires_at = next."expiresAt", default_term = next."defaultTerm",
         revoked_at = CASE WHEN next.revoked THEN now() END,
         granted_at = CASE WHEN next.granted AND next.status = 'active' THEN now() ELSE granted_at END,
         user_id = COALESCE(user_id, (SELECT id FROM users WHERE subject = accesses.subject)),
         attempts = CASE WHEN next.granted THEN 0 ELSE attempts END,
         next_attempt_at = CASE WHEN next.status <> 'precreated' THEN NULL
                                WHEN next.granted THEN now() + interval '3 seconds' ELSE next_attempt_at END,
         updated_at = now()
    FROM jsonb_to_recordset($1::jsonb) AS next (id integer, status varchar, "expiresAt" timestamptz,
                                                "defaultTerm" boolean, revoked boolean, granted boolean)
   WHERE accesses.id = next.id`;

/** What is confirmed waits for nothing but perhaps its person; what is not is asked about soon. */
const noteConfirmations = `
  UPDATE accesses
     SET confirmation_due = marked.due, confirmed_at = COALESCE(marked.at, confirmed_at),
         next_attempt_at = CASE WHEN marked.due THEN now() + interval '3 seconds'
                                WHEN status = 'precreated' THEN next_attempt_at END
    FROM jsonb_to_recordset($1::jsonb) AS marked (id integer, due boolean, at timestamptz)
   WHERE accesses.id = marked.id`;

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
   * Brings entitlements, each named once, to what a decision says: together in one transaction, or, where that fails, each
   * in its own, so that none takes others along. Posts about the same entitlement wait for each other, so every decision is made on what really stands.
   * A claim that is not done is kept for administrators.
   *
   * @returns a decision for each; null where there is no such dataset
   */
  async apply(checked: readonly CheckedClaim[], decide: Decide): Promise<(Decision | null)[]> {
    try {
      return await this.applyTogether(checked, decide);
    } catch (error) {
      if (checked.length === 1 || isPostgresDown(error)) throw error;
      return this.applySingly(checked, decide);
    }
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

  /** Tries each, whatever becomes of the others. @throws what the first that failed threw */
  private async applySingly(checked: readonly CheckedClaim[], decide: Decide): Promise<(Decision | null)[]> {
    const decisions: (Decision | null)[] = [];
    const failures: unknown[] = [];
    for (const each of checked) {
      try {
        decisions.push(...(await this.applyTogether([each], decide)));
      } catch (error) {
        if (isPostgresDown(error)) throw error;
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return decisions;
  }

  private applyTogether(checked: readonly CheckedClaim[], decide: Decide): Promise<(Decision | null)[]> {
    return this.dataSource.transaction(async (manager) => {
      const decisions = checked.map((): Decision | null => null);
      const changes: Change[] = [];
      for (const { row, current, statement } of await lockAll(manager, checked)) {
        const decision = isOvertaken(row, statement) ? overtaken : decide(current, statement, row.now);
        decisions[row.position] = decision;
        if (decision !== overtaken) changes.push({ row, current, statement, decision });
      }
      await this.write(manager, changes);
      const refusals = checked.map(({ claim }, position) => ({ claim, reason: reasonOf(decisions[position] ?? null) }));
      await this.refused.record(manager, refusals);
      return decisions;
    });
  }

  private async write(manager: EntityManager, changes: readonly Change[]): Promise<void> {
    const done = changes.flatMap(({ decision: { outcome, next }, ...rest }) =>
      next ? [{ ...rest, outcome, next }] : [],
    );
    const idle = changes.filter(({ decision, current }) => !decision.next && !current).map(({ row }) => row.id);
    const marked = changes.filter(({ row, statement }) => statement.trust !== 'posted' || row.confirmationDue);
    await send(
      manager,
      changeAccesses,
      done.map(({ row, next }) => ({ ...next, id: row.id })),
    );
    if (idle.length > 0) await manager.query('DELETE FROM accesses WHERE id = ANY ($1::integer[])', [idle]);
    await send(
      manager,
      noteConfirmations,
      marked.map(({ row, statement }) => ({
        id: row.id,
        due: statement.trust === 'unconfirmed',
        at: statement.requestedAt,
      })),
    );
    const writes = done.map(({ row, current, outcome, next }) => ({
      ...{ actor: 'accessreq', action: outcome, resource: 'accesses', recordId: row.id },
      before: stateOf(current),
      after: stateOf(next),
    }));
    await this.audit.record(manager, ...writes);
  }
}

/**
 * The accesses of claims whose dataset there is, made where they are not; nobody else changes them before the transaction
 * ends.
 */
async function lockAll(manager: EntityManager, checked: readonly CheckedClaim[]): Promise<Omit<Change, 'decision'>[]> {
  const resources = [...new Set(checked.map(({ claim }) => claim.key.resource))];
  const datasets = await runPreparedIn<{ id: number; resource: string }>(manager, findDatasets, [resources]);
  const ids = new Map(datasets.map(({ id, resource }) => [resource, id]));
  const claims = checked.flatMap(({ claim: { key } }, position) => {
    const dataset_id = ids.get(key.resource);
    return dataset_id === undefined ? [] : [{ position, application: key.application, dataset_id, subject: key.user }];
  });
  const added = new Set((await send<{ id: number }>(manager, addAccesses, claims)).map(({ id }) => id));
  const rows = await send<AccessRow>(manager, lockAccesses, claims);
  return rows.flatMap((row) => {
    const match = checked[row.position];
    return match ? [{ row, current: added.has(row.id) ? null : row, statement: match.statement }] : [];
  });
}

/** Runs a statement over some rows, unless there are none. */
async function send<T extends object>(
  manager: EntityManager,
  statement: string,
  rows: readonly object[],
): Promise<T[]> {
  return rows.length === 0 ? [] : runPreparedIn<T>(manager, statement, [JSON.stringify(rows)]);
}

const overtaken: Decision = { outcome: 'unchanged' };

/** Whether the access-request system said something else since it was asked for this. */
function isOvertaken({ confirmedAt }: AccessRow, { requestedAt }: Statement): boolean {
  return requestedAt !== null && confirmedAt !== null && confirmedAt > requestedAt;
}

/** Why a claim is kept for administrators; undefined when it was done. */
function reasonOf(decision: Decision | null): RefusalReason | undefined {
  return refusalReasons.find((each) => each === (decision?.outcome ?? 'unknown_resource'));
}

function stateOf(access: { status: string; expiresAt: Date | null } | null): unknown {
  return access === null ? undefined : { status: access.status, expires_at: access.expiresAt };
}
