import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { advisoryLocks } from '../../platform/database/advisory-locks.js';
import { DocumentsSettings } from './documents.settings.js';
import { documentTables, listNames, type ListName } from './list-names.js';
import { recordServiceSettings, requireServiceSettings, type WrittenSettings } from './service-settings.js';
import { affectedSql, documentBasis, STORED_LISTS, upsertSql, type StoredLists } from './stored-list.js';
import { addAffected, Views, type Affected, type VisibilityChanges } from './views.js';

/** The ids of records that a transaction changed or removed, and the changes of visibility. */
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

const changedKinds = [
  'users',
  'contacts',
  'partners',
  'cohorts',
  'platforms',
  'projects',
  'datasets',
  'contracts',
] as const satisfies readonly (keyof ChangedRecords)[];

/** A record as a parsed document, with every member. */
export type RecordImage = Readonly<Record<string, unknown>>;

/** The maximum number of records that one transaction rebuilds. Writes wait for such a transaction. */
const rebuildBatchSize = 2_000;

/** Runs a function in a transaction that holds the documents lock. */
type Transact = <T>(work: (manager: EntityManager) => Promise<T>) => Promise<T>;

/** An error for a command whose version differs from the version that built the stored documents. */
export class OtherBasisError extends Error {
  constructor() {
    super(
      'Nothing was written: the stored documents were built by another version of the catalog. Start the catalog of ' +
        'this version once or run "rebuild documents", and repeat the command.',
    );
    this.name = 'OtherBasisError';
  }
}

/**
 * Maintains the stored documents, which are the JSON texts of exported records, and the views of the documents. The
 * transaction that changes a record also changes its document.
 */
@Injectable()
export class StoredDocuments implements OnApplicationBootstrap {
  /** A digest of the SQL and the settings that determine documents and views. */
  readonly basis: string;
  private readonly homeOrganisation: string | null;
  /** The settings that are stored in documents, views or records. */
  private readonly written: WrittenSettings;
  private readonly views: Views;
  private readonly logger = new Logger(StoredDocuments.name);

  constructor(
    settings: DocumentsSettings,
    private readonly dataSource: DataSource,
    @Inject(STORED_LISTS) private readonly lists: StoredLists,
  ) {
    this.homeOrganisation = settings.HOME_ORGANISATION ?? null;
    const inherits = settings.PROTECTED_INHERITS;
    this.written = {
      HOME_ORGANISATION: this.homeOrganisation,
      PROTECTED_INHERITS: String(inherits),
      SERVER_URL: settings.SERVER_URL ?? null,
    };
    this.views = new Views(lists, inherits);
    this.basis = documentBasis(lists, { homeOrganisation: this.homeOrganisation, inherits });
  }

  /**
   * Checks that the service has the settings of this process, and that this version built the stored documents, before a
   * command writes documents. A new database has none.
   *
   * @throws OtherSettingsError if the service started with other settings
   * @throws OtherBasisError if another version built the documents
   */
  async requireSameBasis(): Promise<void> {
    await requireServiceSettings(this.dataSource.manager, this.written);
    const [state] = await this.dataSource.query<{ basis: string }[]>('SELECT basis FROM document_state');
    if (state && state.basis !== '' && state.basis !== this.basis) throw new OtherBasisError();
  }

  /**
   * Records the settings of the service, and rebuilds documents and views if other SQL or settings built the stored ones.
   * The record comes first, so that processes with the previous settings write nothing after the rebuild.
   */
  async onApplicationBootstrap(): Promise<void> {
    const changed = await this.dataSource.transaction(async (manager) => {
      await this.acquireLock(manager);
      return recordServiceSettings(manager, this.written);
    });
    if (changed.length > 0) this.logger.log(`settings have changed since the last start: ${changed.join(', ')}`);
    const kept = await this.dataSource.query<{ basis: string }[]>('SELECT basis FROM document_state');
    if (kept.some(({ basis }) => basis !== this.basis)) await this.rebuildAll();
  }

  /**
   * Rebuilds every document and every view in several transactions, and returns the number of changed documents by
   * list. After an interruption, the next run does not change the documents that are rebuilt already.
   */
  rebuildAll(): Promise<Record<ListName, number>> {
    return this.rebuildThrough((work) =>
      this.dataSource.transaction(async (manager) => {
        await this.lock(manager);
        return work(manager);
      }),
    );
  }

  /** Rebuilds every document and every view as the last operation of a transaction. */
  async rebuildAllIn(manager: EntityManager): Promise<Record<ListName, number>> {
    await this.lock(manager);
    return this.rebuildThrough((work) => work(manager));
  }

  /**
   * Rebuilds the documents that depend on changed records, and records the changes of each view. The call must be the
   * last operation of a transaction: until the commit, no other transaction can rebuild documents.
   *
   * @throws OtherSettingsError if the service started with other settings
   */
  async refresh(manager: EntityManager, changed: ChangedRecords): Promise<void> {
    await this.lock(manager);
    const dependent = await manager.query<{ list: ListName; ids: number[] }[]>(
      `SELECT list, array_agg(id) AS ids FROM (${affectedSql}) AS affected GROUP BY list`,
      changedKinds.map((kind) => changed[kind] ?? []),
    );
    const affected: Affected = new Map();
    for (const { list, ids } of dependent) {
      addAffected(affected, list, await this.rebuild(manager, list, ids));
      // Removed records have no documents, and a change of custodians changes no document.
      addAffected(affected, list, changed[list] ?? []);
    }
    await this.views.addDependents(manager, changed, affected);
    await this.views.compare(manager, affected);
  }

  /**
   * Acquires the documents lock until the end of the transaction. Without the lock, two transactions that rebuild the
   * same document would each miss the other's change, and changes of views would not be in the order of the commits. A
   * removal acquires the lock before it deletes the record, because the deletion cascades to the document. Otherwise a
   * removal and a rebuild of the same document would deadlock.
   *
   * @throws OtherSettingsError if the service started with other settings
   */
  async lock(manager: EntityManager): Promise<void> {
    await this.acquireLock(manager);
    await requireServiceSettings(manager, this.written);
  }

  private async acquireLock(manager: EntityManager): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.rebuildDocuments]);
  }

  /** Returns the images of records by id, as built in the transaction. Does not read stored documents. */
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
      // The plans of lists depend on statistics, and autovacuum may collect statistics much later.
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
        return ids.length < rebuildBatchSize ? undefined : ids.at(-1);
      });
    }
    return changed;
  }

  /** Rebuilds documents. @returns the ids of changed documents */
  private async rebuild(manager: EntityManager, name: ListName, ids: readonly number[]): Promise<number[]> {
    const [{ changed }] = await manager.query<[{ changed: number[] }]>(
      `WITH changed AS (${upsertSql(this.lists[name])} RETURNING id)
       SELECT coalesce(array_agg(id), '{}') AS changed FROM changed`,
      [ids, this.homeOrganisation],
    );
    return changed;
  }
}

/** Returns the next ids of a list in ascending order, including removed records that are still in a view. */
async function nextIds(manager: EntityManager, name: ListName, after: number): Promise<number[]> {
  const rows = await manager.query<{ id: number }[]>(
    `(SELECT id FROM ${name} WHERE id > $1 ORDER BY id LIMIT $3)
     UNION
     (SELECT DISTINCT record_id FROM view_records WHERE list = $2 AND record_id > $1 AND digest IS NOT NULL
       ORDER BY record_id LIMIT $3)
     ORDER BY id LIMIT $3`,
    [after, name, rebuildBatchSize],
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
