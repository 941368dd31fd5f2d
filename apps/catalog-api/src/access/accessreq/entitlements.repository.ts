import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { isPostgresDown } from '../../platform/database/postgres-errors.js';
import { runPreparedIn } from '../../platform/database/prepared.js';
import type { TrustLevel, Decision, CurrentAccess } from './decision.js';
import type { Claim, Entitlement } from './entitlement.js';
import { refusalReasons, type RefusalReason } from './refused-entitlement.entity.js';
import { RefusedEntitlementsRepository } from './refused-entitlements.repository.js';

/** An access, with the instant of the read by the clock of the database. */
interface AccessRow extends CurrentAccess {
  /** The index of the claim in the batch. */
  readonly position: number;
  readonly id: number;
  readonly now: Date;
  readonly confirmedAt: Date | null;
}

/** The content of a claim after the check. */
export interface Statement {
  readonly ends: readonly (Date | null)[];
  readonly trust: TrustLevel;
  /** When the confirmation was requested, by the clock of the database; null if the claim is not confirmed. */
  readonly requestedAt: Date | null;
}

/** The entitlement of a stored access. */
export interface StoredEntitlement extends Entitlement {
  readonly status: CurrentAccess['status'];
  readonly confirmationDue: boolean;
}

/** A claim with the result of its check. */
export interface CheckedClaim {
  readonly claim: Claim;
  readonly statement: Statement;
}

/** Decides a change from the current access, which is null if there is none. */
export type Decide = (current: CurrentAccess | null, statement: Statement, now: Date) => Decision;

/** A decision about an access. */
interface Change {
  readonly row: AccessRow;
  /** The access before the decision; null if it was created for this decision. */
  readonly current: CurrentAccess | null;
  readonly statement: Statement;
  readonly decision: Decision;
}

const findDatasets = `
  SELECT id, external_id AS resource FROM datasets WHERE external_id = ANY ($1::text[]) ORDER BY id FOR KEY SHARE`;

/** The claims in `$1`. Every batch locks accesses in the same order, so that two batches cannot deadlock. */
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

/** Schedules an attempt to find the person of a new grant, in case this process stops before it finds the person. */
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

/** A confirmed claim waits at most for its person. An unconfirmed claim is checked again soon. */
const updateConfirmations = `
  UPDATE accesses
     SET confirmation_due = marked.due, confirmed_at = COALESCE(marked.at, confirmed_at),
         next_attempt_at = CASE WHEN marked.due THEN now() + interval '3 seconds'
                                WHEN status = 'precreated' THEN next_attempt_at END
    FROM jsonb_to_recordset($1::jsonb) AS marked (id integer, due boolean, at timestamptz)
   WHERE accesses.id = marked.id`;

const entitlementOf = `
  application, subject AS user, expires_at AS end, status, confirmation_due AS "confirmationDue",
  (SELECT external_id FROM datasets WHERE datasets.id = accesses.dataset_id) AS resource`;

/** The delay to the next attempt doubles each time, up to one hour. */
const claimDue = `
  UPDATE accesses
     SET attempts = attempts + 1,
         next_attempt_at = now() + least(interval '1 hour', interval '2 seconds' * 2 ^ least(attempts, 12))
   WHERE id IN (SELECT id FROM accesses WHERE confirmation_due AND next_attempt_at <= now()
                 ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING ${entitlementOf}`;

/** The statements that apply entitlements to accesses. */
@Injectable()
export class EntitlementsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
    private readonly refused: RefusedEntitlementsRepository,
  ) {}

  /**
   * Applies claims about different entitlements in one transaction. If that transaction fails, applies each claim in its
   * own transaction. Posts about the same entitlement wait for each other, so each decision reads the current access.
   * Claims that are refused are stored for administrators.
   *
   * @returns a decision for each claim; null if the dataset does not exist
   */
  async apply(checked: readonly CheckedClaim[], decide: Decide): Promise<(Decision | null)[]> {
    try {
      return await this.applyTogether(checked, decide);
    } catch (error) {
      if (checked.length === 1 || isPostgresDown(error)) throw error;
      return this.applySingly(checked, decide);
    }
  }

  /** Returns the current time of the database's clock. */
  async now(): Promise<Date> {
    const [{ now }] = await this.dataSource.query<[{ now: Date }]>('SELECT clock_timestamp() AS now');
    return now;
  }

  /**
   * Claims entitlements whose confirmation is due. Only one replica gets each entitlement. If the replica fails, the
   * entitlement is due again later.
   */
  async claimDue(limit: number): Promise<StoredEntitlement[]> {
    const [due] = await this.dataSource.query<[StoredEntitlement[], number]>(claimDue, [limit]);
    return due;
  }

  /** Returns the entitlement of an access; null if no access from an entitlement has this id. */
  async find(accessId: number): Promise<StoredEntitlement | null> {
    const [access] = await this.dataSource.query<StoredEntitlement[]>(
      `SELECT ${entitlementOf} FROM accesses WHERE id = $1 AND application IS NOT NULL AND subject IS NOT NULL`,
      [accessId],
    );
    return access ?? null;
  }

  /** Applies each claim in its own transaction. @throws the first error after all claims were tried */
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
      updateConfirmations,
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
 * Returns the accesses of claims whose dataset exists, and creates missing accesses. Until the transaction ends, no other
 * transaction can change these accesses.
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

/** Runs a statement over rows. If there are no rows, returns an empty list. */
async function send<T extends object>(
  manager: EntityManager,
  statement: string,
  rows: readonly object[],
): Promise<T[]> {
  return rows.length === 0 ? [] : runPreparedIn<T>(manager, statement, [JSON.stringify(rows)]);
}

const overtaken: Decision = { outcome: 'unchanged' };

/** Whether a newer confirmation was applied after this confirmation was requested. */
function isOvertaken({ confirmedAt }: AccessRow, { requestedAt }: Statement): boolean {
  return requestedAt !== null && confirmedAt !== null && confirmedAt > requestedAt;
}

/** Returns the reason of a refusal; undefined if the claim was applied. */
function reasonOf(decision: Decision | null): RefusalReason | undefined {
  return refusalReasons.find((each) => each === (decision?.outcome ?? 'unknown_resource'));
}

function stateOf(access: { status: string; expiresAt: Date | null } | null): unknown {
  return access === null ? undefined : { status: access.status, expires_at: access.expiresAt };
}
