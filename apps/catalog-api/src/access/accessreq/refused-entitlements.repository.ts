import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { CountedPage } from '../../platform/lists/page.dto.js';
import { readCountedPage } from '../../platform/lists/page-reader.js';
import { runPreparedIn } from '../../platform/database/prepared.js';
import { allOf, fixedSql, sql, type Sql } from '../../platform/database/sql.js';
import type { Claim } from './entitlement.js';
import { RefusedEntitlement, type RefusalReason } from './refused-entitlement.entity.js';
import type { RefusedEntitlementResponse, SearchRefusedEntitlements } from './refused-entitlement.dto.js';

/** The number of days that a claim is stored after its last post, and the maximum number of stored claims. */
const retentionDays = 90;
const maxRows = 10_000;

const columns = `id, application, resource, subject, ends, reason, posts, created_at, updated_at,
  EXISTS (SELECT FROM datasets WHERE external_id = refused.resource) AS resource_known`;

/** A delayed grant does not replace the ends of a later claim. */
const storeRefused = `
  INSERT INTO refused_entitlements AS kept (application, resource, subject, ends, reason)
  SELECT * FROM jsonb_to_recordset($1::jsonb)
                AS claim (application integer, resource text, subject text, ends timestamptz[], reason text)
   ORDER BY application, resource, subject
  ON CONFLICT (application, resource, subject) DO UPDATE
     SET ends = CASE WHEN (now() >= ALL (kept.ends)) IS TRUE AND (now() >= ANY (excluded.ends)) IS NOT TRUE
                     THEN kept.ends ELSE excluded.ends END,
         reason = excluded.reason, posts = kept.posts + 1, updated_at = now()`;

const removeApplied = `
  DELETE FROM refused_entitlements AS kept
   USING jsonb_to_recordset($1::jsonb) AS claim (application integer, resource text, subject text)
   WHERE (kept.application, kept.resource, kept.subject) = (claim.application, claim.resource, claim.subject)`;

const removeOld = `
  DELETE FROM refused_entitlements
   WHERE updated_at < now() - make_interval(days => $1)
      OR id IN (SELECT id FROM refused_entitlements ORDER BY updated_at DESC, id DESC OFFSET $2)`;

/** A claim with the reason of its refusal; undefined if the claim was applied. */
export interface DecidedClaim {
  readonly claim: Claim;
  readonly reason: RefusalReason | undefined;
}

/** The statements about refused claims. */
@Injectable()
export class RefusedEntitlementsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Stores refused claims and removes earlier refusals of applied claims, in the transaction of the decisions.
   */
  async record(manager: EntityManager, claims: readonly DecidedClaim[]): Promise<void> {
    const rows = claims.map(({ claim: { key, ends }, reason }) => ({
      application: key.application,
      resource: key.resource,
      subject: key.user,
      ends,
      reason,
    }));
    const [refused, applied] = [rows.filter(({ reason }) => reason), rows.filter(({ reason }) => !reason)];
    if (refused.length > 0) await runPreparedIn(manager, storeRefused, [JSON.stringify(refused)]);
    if (applied.length > 0) await runPreparedIn(manager, removeApplied, [JSON.stringify(applied)]);
  }

  search(query: SearchRefusedEntitlements): Promise<CountedPage<RefusedEntitlementResponse>> {
    const order = [{ by: 'refused.id', type: 'integer' }] as const;
    const from = fixedSql('refused_entitlements AS refused');
    const list = { columns: fixedSql(columns), from, where: conditionOf(query), order, descending: true };
    return readCountedPage(this.dataSource, list, query);
  }

  async find(id: number): Promise<RefusedEntitlementResponse | undefined> {
    const [row] = await this.dataSource.query<RefusedEntitlementResponse[]>(
      `SELECT ${columns} FROM refused_entitlements AS refused WHERE id = $1`,
      [id],
    );
    return row;
  }

  /** @returns whether the claim existed */
  async remove(manager: EntityManager, id: number): Promise<boolean> {
    const { affected } = await manager.delete(RefusedEntitlement, id);
    return affected === 1;
  }

  /** Removes claims that are too old, and the oldest claims above the maximum number. */
  async removeOld(): Promise<void> {
    await this.dataSource.query(removeOld, [retentionDays, maxRows]);
  }
}

function conditionOf({ reason, subject, resource }: SearchRefusedEntitlements): Sql {
  const conditions: Sql[] = [];
  if (reason !== undefined) conditions.push(sql`refused.reason = ${reason}`);
  if (subject !== undefined) conditions.push(sql`refused.subject = ${subject}`);
  if (resource !== undefined) conditions.push(sql`refused.resource = ${resource}`);
  return allOf(conditions);
}
