import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf, runPrepared } from '../../platform/database/prepared.js';
import { sql, type Sql } from '../../platform/database/sql.js';
import { maxId } from '../../platform/database/ids.js';
import type { View } from '../../publishing/documents/view.entity.js';
import type { Place } from './changes-cursor.js';

/** The lists of the feed, in the order of changes that have the same instant. */
export const feedLists = ['projects', 'datasets', 'partners', 'cohorts'] as const;

/** A list of the feed. */
export type FeedList = (typeof feedLists)[number];

/** A row of `view_records` after a place of the feed. */
export interface ChangeRow {
  /** The position of the list in `feedLists`. */
  readonly list: number;
  readonly id: number;
  readonly external_id: string | null;
  /** Whether the record was withdrawn from the view. */
  readonly withdrawn: boolean;
  /** Microseconds since 1970. */
  readonly at: number;
  /** The instant at which the record last entered the view, in microseconds since 1970. */
  readonly seen_since: number;
  /** The instant of the change in ISO 8601. */
  readonly changed_at: string;
}

/** Changes after a place, and the state of the feed in the same snapshot. */
export interface FeedPage {
  readonly rows: readonly ChangeRow[];
  /** The identity of the feed in this database. */
  readonly feed: string;
  /** The time before which withdrawals may be missing, in microseconds since 1970. */
  readonly complete_since: number;
  /** The time of the snapshot, in microseconds since 1970. */
  readonly now: number;
  /** The instant of the last change in the views, in microseconds since 1970. It is read at the beginning only, else 0. */
  readonly last: number;
}

type FlatRow = { [Key in keyof ChangeRow]: ChangeRow[Key] | null } & Omit<FeedPage, 'rows'>;

/** The views of a caller, in the order of `feedLists`. */
export type FeedViews = readonly View[];

/** Reads the changes of views from `view_records`. */
@Injectable()
export class ChangesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns up to `limit` changes after a place, oldest first, in one statement and therefore one snapshot. Each list is
   * a range of `view_records_feed_idx`, so the cost depends on `limit` only.
   *
   * @param days the retention of withdrawals
   */
  async read(views: FeedViews, { at, list, id }: Place, limit: number, days: number): Promise<FeedPage> {
    const after = feedLists.map((_, each) => (each === list ? id : each < list ? maxId : -maxId - 1));
    const rows = await runPrepared<FlatRow>(
      poolOf(this.dataSource),
      sql`
        WITH source AS (
          SELECT * FROM unnest(${feedLists}::varchar[], ${views}::varchar[], ${after}::integer[])
            WITH ORDINALITY AS source (list, view, after_id, rank)
        )
        SELECT md5(state.feed_id || ' ' || (SELECT oid FROM pg_database WHERE datname = current_database())) AS feed,
          ${micros(sql`greatest(state.swept_until, now() - make_interval(days => ${days}::integer))`)} AS complete_since,
          ${micros(sql`now()`)} AS now, ${micros(sql`last.at`)} AS last, page.*
        FROM document_state AS state
        LEFT JOIN LATERAL (${lastOf(at)}) AS last ON true
        LEFT JOIN LATERAL (${changesAfter(at, limit)}) AS page ON true
        ORDER BY page.at, page.list, page.id`,
    );
    const [state] = rows;
    if (!state) throw new Error('document_state has no row');
    const { feed, complete_since, now, last } = state;
    return { feed, complete_since, now, last, rows: rows.filter((row): row is FlatRow & ChangeRow => row.id !== null) };
  }
}

/** Returns the statement of the changes after an instant and, in each list, after an id. */
function changesAfter(at: number, limit: number): Sql {
  const begin = sql`timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond'`;
  return sql`
    SELECT source.rank::integer - 1 AS list, kept.record_id AS id, kept.external_id, kept.digest IS NULL AS withdrawn,
      ${micros(sql`kept.changed_at`)} AS at, ${micros(sql`kept.seen_since`)} AS seen_since,
      to_char(kept.changed_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS changed_at
    FROM source CROSS JOIN LATERAL (
      SELECT * FROM view_records
      WHERE view = source.view AND list = source.list AND (changed_at, record_id) > (${begin}, source.after_id)
      ORDER BY changed_at, record_id LIMIT ${limit}::integer
    ) AS kept
    ORDER BY kept.changed_at, source.rank, kept.record_id LIMIT ${limit}::integer`;
}

/** Returns the statement of the instant of the last change, at the beginning of the feed only. */
function lastOf(at: number): Sql {
  return sql`
    SELECT max(latest.changed_at) AS at FROM source CROSS JOIN LATERAL (
      SELECT changed_at FROM view_records WHERE view = source.view AND list = source.list
      ORDER BY changed_at DESC LIMIT 1
    ) AS latest WHERE ${at}::bigint = 0`;
}

/** Returns an instant in microseconds since 1970. The type is read as a number, which is exact until the year 2255. */
function micros(instant: Sql): Sql {
  return sql`greatest((extract(epoch FROM ${instant}) * 1000000)::float8, 0)`;
}
