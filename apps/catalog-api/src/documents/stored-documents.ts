import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { advisoryLocks } from '../database/advisory-locks.js';
import { CatalogSettings } from '../settings.js';
import { listNames, type ListName } from './document.entity.js';
import { affectedSql, documentBasis, storedLists, upsertSql } from './stored-list.js';

/** Records that a transaction changed, by their ids, and lists in which somebody may now see more or less. */
export interface Touched {
  readonly users?: readonly number[];
  readonly contacts?: readonly number[];
  readonly partners?: readonly number[];
  readonly cohorts?: readonly number[];
  readonly platforms?: readonly number[];
  readonly projects?: readonly number[];
  readonly datasets?: readonly number[];
  readonly contracts?: readonly number[];
  /** Lists that lost a record, or of which someone's part changed: exposures, grants, inherited custodianship. */
  readonly visibility?: readonly ListName[];
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
] as const satisfies readonly (keyof Touched)[];

/** A record as a parsed document, with all that the most entitled caller sees. */
export type RecordImage = Readonly<Record<string, unknown>>;

/**
 * Owns the stored documents: for every exported record its JSON text, kept beside the entities and changed in the same
 * transaction as what it is made of.
 */
@Injectable()
export class StoredDocuments implements OnApplicationBootstrap {
  /** Digest of all that documents are made with beside the records. */
  readonly basis: string;
  private readonly homeOrganisation: string | null;

  constructor(
    settings: CatalogSettings,
    private readonly dataSource: DataSource,
  ) {
    this.homeOrganisation = settings.HOME_ORGANISATION ?? null;
    this.basis = documentBasis(this.homeOrganisation);
  }

  /** Makes the documents again when this version, or its settings, make them otherwise than those that are kept. */
  async onApplicationBootstrap(): Promise<void> {
    const kept = await this.dataSource.query<{ basis: string }[]>('SELECT basis FROM list_versions');
    if (kept.some(({ basis }) => basis !== this.basis)) await this.rebuildAll();
  }

  /** Makes every document again; returns how many came out different, by list. */
  async rebuildAll(): Promise<Record<ListName, number>> {
    return this.dataSource.transaction((manager) => this.rebuildAllIn(manager));
  }

  /** The same as part of a transaction that ends with it. */
  async rebuildAllIn(manager: EntityManager): Promise<Record<ListName, number>> {
    await this.lock(manager);
    const changed = {} as Record<ListName, number>;
    for (const name of listNames) changed[name] = await this.rebuild(manager, name, null);
    await moveVersions(
      manager,
      listNames.filter((name) => changed[name] > 0),
    );
    await manager.query('UPDATE list_versions SET basis = $1 WHERE basis <> $1', [this.basis]);
    // The planner chooses the plan of a list by what it knows of the documents: now, not when autovacuum comes by.
    await manager.query(`ANALYZE ${listNames.map((name) => storedLists[name].table).join(', ')}`);
    return changed;
  }

  /**
   * Rebuilds the documents that depend on what a transaction changed, and moves the versions of the lists that really
   * changed. It must be the last thing the transaction does: from here to its commit no other can rebuild.
   */
  async refresh(manager: EntityManager, touched: Touched): Promise<void> {
    await this.lock(manager);
    const affected = await manager.query<{ list: ListName; ids: number[] }[]>(
      `SELECT list, array_agg(id) AS ids FROM (${affectedSql}) AS affected GROUP BY list`,
      touchedKinds.map((kind) => touched[kind] ?? []),
    );
    const moved = new Set<ListName>(touched.visibility);
    for (const { list, ids } of affected) {
      if ((await this.rebuild(manager, list, ids)) > 0) moved.add(list);
    }
    await moveVersions(manager, [...moved]);
  }

  /**
   * Waits until nobody else makes documents; the lock ends with the transaction. One at a time: two writers that touch
   * the same document would else each miss the other's change. Whoever removes a record takes it before: the document
   * goes with the record, and whoever makes that document anew would wait for the removal, which waits for them.
   */
  async lock(manager: EntityManager): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.rebuildDocuments]);
  }

  /** Records as their documents would be made of them now, in the transaction given, whole; by id. */
  async imagesOf(manager: EntityManager, name: ListName, ids: readonly number[]): Promise<Map<number, RecordImage>> {
    if (ids.length === 0) return new Map();
    const rows = await manager.query<(RecordImage & { id: number })[]>(
      `SELECT * FROM (${storedLists[name].build}) AS built`,
      [ids, this.homeOrganisation],
    );
    return new Map(rows.map((row) => [row.id, imageOf(row)]));
  }

  private async rebuild(manager: EntityManager, name: ListName, ids: readonly number[] | null): Promise<number> {
    const [{ changed }] = await manager.query<[{ changed: number }]>(
      `WITH changed AS (${upsertSql(storedLists[name])} RETURNING 1) SELECT count(*)::integer AS changed FROM changed`,
      [ids, this.homeOrganisation],
    );
    return changed;
  }
}

async function moveVersions(manager: EntityManager, lists: readonly ListName[]): Promise<void> {
  if (lists.length === 0) return;
  await manager.query('UPDATE list_versions SET version = version + 1 WHERE list = ANY ($1)', [lists]);
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
