import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { advisoryLocks } from '../../platform/database/advisory-locks.js';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import { documentTables, listNames, type ListName } from './list-names.js';
import { affectedSql, documentBasis, STORED_LISTS, upsertSql, type StoredLists } from './stored-list.js';
import { addAffected, Views, type Affected, type VisibilityChanges } from './views.js';

/** Records that a transaction changed or removed, by their ids, and changes that show or hide records. */
export interface ChangedRecords extends VisibilityChanges {
  readonly users?: readonly number[];
  readonly contacts?: readonly number[];
  readonly partners?: readonly number[];
  readonly cohorts?: readonly number[];
  readonly platforms?: readonly number[];
  readonly projects?: readonly number[];
  readonly datasets?: readonly number[];
  readonly contracts?: readonly number[];
}

const touchedKinds = [
  'users',
  'contacts',
  'partners',
  'cohorts',
  'platforms',
  'projects',
  'datasets',
  'contracts',
] as const satisfies readonly (keyof ChangedRecords)[];

/** A record as a parsed document, with all that the most entitled caller sees. */
export type RecordImage = Readonly<Record<string, unknown>>;

/** Records made again by one transaction at most, so that writes do not wait long. */
const rebuiltAtOnce = 2_000;

/** Runs some work in a transaction that holds the lock of the documents. */
type Transact = <T>(work: (manager: EntityManager) => Promise<T>) => Promise<T>;

/**
 * Owns the stored documents: for every exported record its JSON text, kept beside the entities and changed in the same
 * transaction as what it is made of; and with them what each view last read of each record.
 */
@Injectable()
export class StoredDocuments implements OnApplicationBootstrap {
  /** Digest of all that documents are made with beside the records. */
  readonly basis: string;
  private readonly homeOrganisation: string | null;
  private readonly views: Views;

  constructor(
    settings: CatalogSettings,
    private readonly dataSource: DataSource,
    @Inject(STORED_LISTS) private readonly lists: StoredLists,
  ) {
    this.homeOrganisation = settings.HOME_ORGANISATION ?? null;
    const inherits = settings.PROTECTED_INHERITS;
    this.views = new Views(lists, inherits);
    this.basis = documentBasis(lists, { homeOrganisation: this.homeOrganisation, inherits });
  }

  /** Makes documents and views again if this version, or its settings, make them otherwise than those that are kept. */
  async onApplicationBootstrap(): Promise<void> {
    const kept = await this.dataSource.query<{ basis: string }[]>('SELECT basis FROM document_state');
    if (kept.some(({ basis }) => basis !== this.basis)) await this.rebuildAll();
  }

  /**
   * Makes every document and every view again, a few thousand records in each transaction. If it is interrupted, the
   * next run finds what is made already equal. Returns how many documents came out different, by list.
   */
  rebuildAll(): Promise<Record<ListName, number>> {
    return this.rebuildThrough((work) =>
      this.dataSource.transaction(async (manager) => {
        await this.lock(manager);
        return work(manager);
      }),
    );
  }

  /** The same as part of a transaction that ends with it. */
  async rebuildAllIn(manager: EntityManager): Promise<Record<ListName, number>> {
    await this.lock(manager);
    return this.rebuildThrough((work) => work(manager));
  }

  /**
   * Rebuilds the documents that depend on what a transaction changed, and records for each view which records changed.
   * It must be the last thing the transaction does: from here to its commit no other can rebuild.
   */
  async refresh(manager: EntityManager, touched: ChangedRecords): Promise<void> {
    await this.lock(manager);
    const dependent = await manager.query<{ list: ListName; ids: number[] }[]>(
      `SELECT list, array_agg(id) AS ids FROM (${affectedSql}) AS affected GROUP BY list`,
      touchedKinds.map((kind) => touched[kind] ?? []),
    );
    const affected: Affected = new Map();
    for (const { list, ids } of dependent) {
      addAffected(affected, list, await this.rebuild(manager, list, ids));
      // A record that was removed has no document; custodians may change although no document does.
      addAffected(affected, list, touched[list] ?? []);
    }
    await this.views.addFollowers(manager, touched, affected);
    await this.views.compare(manager, affected);
  }

  /**
   * Waits until no other transaction makes documents; the lock ends with the transaction. Without the lock, two writers
   * that touch the same document would each miss the other's change, and changes of views would not be in the order of
   * the commits. A removal takes the lock before it deletes the record: the document goes with the record, and a writer
   * that makes the document again would wait for the removal, which waits for the writer.
   */
  async lock(manager: EntityManager): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.rebuildDocuments]);
  }

  /** Records as their documents would be made of them now, in the transaction given, whole; by id. */
  async imagesOf(manager: EntityManager, name: ListName, ids: readonly number[]): Promise<Map<number, RecordImage>> {
    if (ids.length === 0) return new Map();
    const rows = await manager.query<(RecordImage & { id: number })[]>(
      `SELECT * FROM (${this.lists[name].build}) AS built`,
      [ids, this.homeOrganisation],
    );
    return new Map(rows.map((row) => [row.id, imageOf(row)]));
  }

  private async rebuildThrough(transact: Transact): Promise<Record<ListName, number>> {
    const changed = {} as Record<ListName, number>;
    for (const name of listNames) changed[name] = await this.rebuildList(transact, name);
    await transact(async (manager) => {
      await manager.query('UPDATE document_state SET basis = $1 WHERE basis <> $1', [this.basis]);
      // The planner chooses the plan of a list by what it knows of the documents: now, not when autovacuum comes by.
      await manager.query(`ANALYZE ${listNames.map((name) => documentTables[name]).join(', ')}, view_records`);
    });
    return changed;
  }

  private async rebuildList(transact: Transact, name: ListName): Promise<number> {
    let changed = 0;
    let last: number | undefined = -(2 ** 31);
    while (last !== undefined) {
      const after: number = last;
      last = await transact(async (manager) => {
        const ids = await nextIds(manager, name, after);
        changed += (await this.rebuild(manager, name, ids)).length;
        await this.views.compare(manager, new Map([[name, new Set(ids)]]));
        return ids.length < rebuiltAtOnce ? undefined : ids.at(-1);
      });
    }
    return changed;
  }

  /** Makes documents again. @returns the ids of those that came out different */
  private async rebuild(manager: EntityManager, name: ListName, ids: readonly number[]): Promise<number[]> {
    const [{ changed }] = await manager.query<[{ changed: number[] }]>(
      `WITH changed AS (${upsertSql(this.lists[name])} RETURNING id)
       SELECT coalesce(array_agg(id), '{}') AS changed FROM changed`,
      [ids, this.homeOrganisation],
    );
    return changed;
  }
}

/** The next ids of a list, in ascending order: of records, and of records that views read and that no longer exist. */
async function nextIds(manager: EntityManager, name: ListName, after: number): Promise<number[]> {
  const rows = await manager.query<{ id: number }[]>(
    `(SELECT id FROM ${name} WHERE id > $1 ORDER BY id LIMIT $3)
     UNION
     (SELECT DISTINCT record_id FROM view_records WHERE list = $2 AND record_id > $1 AND digest IS NOT NULL
       ORDER BY record_id LIMIT $3)
     ORDER BY id LIMIT $3`,
    [after, name, rebuiltAtOnce],
  );
  return rows.map(({ id }) => id);
}

function imageOf({ source, body, people, storages, published }: RecordImage): RecordImage {
  return {
    source,
    ...(body as object),
    ...(people as object | undefined),
    ...(storages !== undefined && { storages }),
    ...(published !== undefined && { published }),
  };
}
