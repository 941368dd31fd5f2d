import type { EntityManager } from 'typeorm';
import { runPreparedIn } from '../../platform/database/prepared.js';
import type { ListName } from './list-names.js';
import { followersSql, type StoredList, type StoredLists } from './stored-list.js';

/** Changes that show or hide records without a change of their documents. */
export interface VisibilityChanges {
  /** Ids of datasets with a changed exposure, or with an exposure to a changed endpoint. */
  readonly exposed?: readonly number[];
  /** Ids of projects that lost a dataset. */
  readonly vacated?: readonly number[];
  /** Ids of projects on which a person received or lost *protected*. */
  readonly entrusted?: readonly number[];
  /** Accessions that were added to or removed from limits of service keys, or assigned to an existing project. */
  readonly limits?: readonly string[];
}

/** The records to compare, by list. */
export type Affected = Map<ListName, Set<number>>;

/** Adds ids to the affected ids of a list. */
export function addAffected(affected: Affected, list: ListName, ids: Iterable<number>): void {
  const all = affected.get(list) ?? new Set<number>();
  for (const id of ids) all.add(id);
  affected.set(list, all);
}

/** The maximum number of records for the prepared statement. Its generic plan is slow for many records. */
const preparedLimit = 20;

/** The maximum number of records that one statement compares. The statement keeps their digests in memory. */
const batchSize = 5_000;

/**
 * Records the state of each record in each view. All methods run in the transaction of a write that holds the documents
 * lock. The lock ensures that the instants of changes have the order of the commits.
 */
export class Views {
  /** @param inherits `PROTECTED_INHERITS` */
  constructor(
    private readonly lists: StoredLists,
    private readonly inherits: boolean,
  ) {}

  /** Adds the records that depend on changed exposures and rights. */
  async addDependents(
    manager: EntityManager,
    { exposed = [], vacated = [], entrusted = [], limits = [] }: VisibilityChanges,
    affected: Affected,
  ): Promise<void> {
    if (exposed.length + vacated.length + entrusted.length + limits.length === 0) return;
    const rows = await manager.query<{ list: ListName; ids: number[] }[]>(
      `SELECT list, array_agg(id) AS ids FROM (${followersSql}) AS followers GROUP BY list`,
      [exposed, vacated, entrusted, this.inherits, limits],
    );
    for (const { list, ids } of rows) addAffected(affected, list, ids);
  }

  /**
   * Compares records with their states in the views, and stores the differences. Ids of removed records are allowed.
   */
  async compare(manager: EntityManager, affected: Affected): Promise<void> {
    for (const [list, ids] of affected) {
      const all = [...ids];
      for (let first = 0; first < all.length; first += batchSize) {
        const values = [all.slice(first, first + batchSize), this.inherits, list];
        if (all.length <= preparedLimit) await runPreparedIn(manager, compareSql(this.lists[list]), values);
        else await manager.query(compareSql(this.lists[list]), values);
      }
    }
  }
}

/** Returns the statement that compares records: `$1` ids, `$2` PROTECTED_INHERITS, `$3` the list. */
export function compareSql({ views }: Pick<StoredList, 'views'>): string {
  return `
    WITH seen AS (${views}),
    known AS (
      SELECT record_id, view, external_id, digest, seen_since FROM view_records
      WHERE list = $3::varchar AND record_id = ANY ($1::integer[])
    ),
    clock AS MATERIALIZED (
      SELECT greatest(clock_timestamp(), noticed_at + interval '1 microsecond') AS at FROM document_state
    ),
    noticed AS (
      INSERT INTO view_records AS kept (list, record_id, view, external_id, digest, seen_since, changed_at)
      SELECT $3::varchar, record_id, view, coalesce(seen.external_id, known.external_id), seen.digest,
        CASE WHEN known.digest IS NULL THEN clock.at ELSE known.seen_since END, clock.at
      FROM seen FULL JOIN known USING (record_id, view) CROSS JOIN clock
      WHERE seen.digest IS DISTINCT FROM known.digest
      ON CONFLICT (list, record_id, view) DO UPDATE SET
        external_id = excluded.external_id, digest = excluded.digest,
        seen_since = excluded.seen_since, changed_at = excluded.changed_at
      RETURNING view
    ),
    moved AS (
      INSERT INTO view_versions (view, list, version)
      SELECT view, $3::varchar, gen_random_uuid() FROM noticed GROUP BY view
      ON CONFLICT (view, list) DO UPDATE SET version = excluded.version
      RETURNING 1
    )
    UPDATE document_state SET noticed_at = clock.at FROM clock WHERE EXISTS (SELECT FROM moved)`;
}
