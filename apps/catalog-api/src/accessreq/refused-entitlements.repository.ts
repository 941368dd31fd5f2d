import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { CountedPage } from '../administration/page.dto.js';
import { readCountedPage } from '../administration/page-reader.js';
import { allOf, fixedSql, sql, type Sql } from '../database/sql.js';
import type { Claim, EntitlementKey } from './entitlement.js';
import type { RefusalReason } from './refused-entitlement.entity.js';
import type { RefusedEntitlementResponse, SearchRefusedEntitlements } from './refused-entitlement.dto.js';

/** How long the list remembers a claim after its last post, and how many it remembers at most. */
const keptDays = 90;
const keptAtMost = 10_000;

const columns = `id, application, resource, subject, ends, reason, posts, created_at, updated_at,
  EXISTS (SELECT FROM datasets WHERE external_id = refused.resource) AS resource_known`;

/** A late grant does not take the place of the end that it came after. */
const keepRefused = `
  INSERT INTO refused_entitlements AS kept (application, resource, subject, ends, reason)
  VALUES ($1, $2, $3, $4::timestamptz[], $5)
  ON CONFLICT (application, resource, subject) DO UPDATE
     SET ends = CASE WHEN (now() >= ALL (kept.ends)) IS TRUE AND (now() >= ANY (excluded.ends)) IS NOT TRUE
                     THEN kept.ends ELSE excluded.ends END,
         reason = excluded.reason, posts = kept.posts + 1, updated_at = now()`;

const removeOld = `
  DELETE FROM refused_entitlements
   WHERE updated_at < now() - make_interval(days => $1)
      OR id IN (SELECT id FROM refused_entitlements ORDER BY updated_at DESC, id DESC OFFSET $2)`;

/** Claims that were not done, in the database. */
@Injectable()
export class RefusedEntitlementsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Remembers a claim, within the transaction that refused it. */
  async keep(manager: EntityManager, { key, ends }: Claim, reason: RefusalReason): Promise<void> {
    await manager.query(keepRefused, [key.application, key.resource, key.user, ends, reason]);
  }

  /** Forgets what was refused of an entitlement, within the transaction that did what is claimed of it. */
  async forget(manager: EntityManager, { application, resource, user }: EntitlementKey): Promise<void> {
    await manager.query('DELETE FROM refused_entitlements WHERE application = $1 AND resource = $2 AND subject = $3', [
      application,
      resource,
      user,
    ]);
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

  /** @returns whether there was such a claim */
  async remove(manager: EntityManager, id: number): Promise<boolean> {
    const [, removed] = await manager.query<[unknown, number]>('DELETE FROM refused_entitlements WHERE id = $1', [id]);
    return removed > 0;
  }

  /** Forgets what nobody has claimed for long, and the oldest beyond so many. */
  async removeOld(): Promise<void> {
    await this.dataSource.query(removeOld, [keptDays, keptAtMost]);
  }
}

function conditionOf({ reason, subject, resource }: SearchRefusedEntitlements): Sql {
  const conditions: Sql[] = [];
  if (reason !== undefined) conditions.push(sql`refused.reason = ${reason}`);
  if (subject !== undefined) conditions.push(sql`refused.subject = ${subject}`);
  if (resource !== undefined) conditions.push(sql`refused.resource = ${resource}`);
  return allOf(conditions);
}
