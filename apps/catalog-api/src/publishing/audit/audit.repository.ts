import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Page } from '../../platform/lists/page.dto.js';
import { readPage } from '../../platform/lists/page-reader.js';
import { allOf, sql, type Sql } from '../../platform/database/sql.js';
import type { AuditEntryResponse, SearchAudit } from './audit-search.dto.js';

const columns = sql`
  entry.id, entry.at, entry.actor, entry.action, entry.resource, entry.record_id, entry.before, entry.after,
  entry.request_id, entry.address,
  (SELECT coalesce(nullif(trim(first_name || ' ' || last_name), ''), email) FROM users
    WHERE id = substring(entry.actor FROM '^user:([0-9]{1,9})$')::integer) AS actor_name`;

const from = sql`audit_entries AS entry`;

/** Reads the audit trail in the database. */
@Injectable()
export class AuditRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param readable the kinds of record to which the result is limited, or null for no limit */
  search(query: SearchAudit, readable: readonly string[] | null): Promise<Page<AuditEntryResponse>> {
    const order = [{ by: 'entry.id', type: 'bigint' }] as const;
    return readPage(
      this.dataSource,
      { columns, from, where: conditionOf(query, readable), order, descending: true },
      query,
    );
  }
}

function conditionOf(query: SearchAudit, readable: readonly string[] | null): Sql {
  const conditions: Sql[] = [];
  if (readable) conditions.push(sql`entry.resource = ANY (${readable})`);
  if (query.resource !== undefined) conditions.push(writesTo(query.resource, query.record_id));
  if (query.actor !== undefined) conditions.push(sql`entry.actor = ${query.actor}`);
  if (query.action !== undefined) conditions.push(sql`entry.action = ${query.action}`);
  if (query.from !== undefined) conditions.push(sql`entry.at >= ${new Date(query.from).toISOString()}::timestamptz`);
  if (query.until !== undefined) conditions.push(sql`entry.at < ${new Date(query.until).toISOString()}::timestamptz`);
  return allOf(conditions);
}

/** Returns the condition of the writes of a kind of record, or of one record. A dataset includes its exposures. */
function writesTo(resource: string, recordId?: string): Sql {
  if (recordId === undefined) return sql`entry.resource = ${resource}`;
  const itself = sql`entry.resource = ${resource} AND entry.record_id = ${recordId}`;
  if (resource !== 'datasets') return itself;
  return sql`${itself} OR entry.resource = 'exposures' AND entry.after ->> 'dataset_id' = ${recordId}`;
}
