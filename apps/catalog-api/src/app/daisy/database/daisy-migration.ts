import type { DataSource, EntityManager } from 'typeorm';
import { moveSequences, requireEmpty } from '../../backup/backup-import.js';
import { readTableColumns } from '../../backup/table-columns.js';
import { acquireWritingLock } from '../../../publishing/writing/writing-lock.js';
import type { Accessions } from '../../../publishing/writing/accessions.js';
import type { StoredDocuments } from '../../../publishing/documents/stored-documents.js';
import { compareLists, type ListComparison } from './comparison.js';
import type { DaisyDatabase } from './daisy-database.js';
import { datasets } from './datasets.js';
import { historySql } from './history.js';
import { ImportTrail, MigratedRows } from './migrated-rows.js';
import type { MigrationReport } from './migration-report.js';
import { cohorts, partners, platforms } from './organisations.js';
import { contacts, users } from './people.js';
import { contracts, projects } from './projects.js';
import { RecordConverter, textSql, type ConverterOptions, type SourceRow } from './record-converter.js';
import { accesses, endpoints, exposures, grants } from './sharing.js';
import type { SourceKind } from './source-kind.js';
import { Vocabularies } from './vocabularies.js';

/** The kinds of records, in an order in which no kind refers to a later one. */
export const sourceKinds: readonly SourceKind[] = [
  users,
  partners,
  contacts,
  cohorts,
  platforms,
  projects,
  datasets,
  contracts,
  endpoints,
  exposures,
  grants,
  accesses,
];

/** The tables that a migration fills. They must be empty before the migration. */
const tables = [
  ...['users', 'partners', 'contacts', 'cohorts', 'platforms', 'projects', 'datasets', 'contracts', 'endpoints'],
  ...['exposures', 'grants', 'accesses', 'refused_entitlements'],
];

/** Options of a migration. */
export interface MigrationOptions extends ConverterOptions {
  readonly dryRun: boolean;
  readonly accessions: Accessions;
  /** Throws an error if the service hashes keys with another secret. */
  readonly requireServiceSecret: (manager: EntityManager) => Promise<void>;
}

/** The error that rolls back the transaction of a dry run, or of a migration with problems. */
class RollBack extends Error {}

/** Imports the database of a DAISY into an empty catalog, completely or not at all. Records keep their ids. */
export class DaisyMigration {
  private readonly converter: RecordConverter;

  constructor(
    private readonly daisy: DaisyDatabase,
    private readonly documents: StoredDocuments,
    private readonly report: MigrationReport,
    private readonly options: MigrationOptions,
  ) {
    this.converter = new RecordConverter(report, options);
  }

  /**
   * Runs the migration. If the report contains problems afterwards, nothing was written.
   *
   * @returns the comparison of the lists of both systems, or undefined if there are problems
   */
  async run(dataSource: DataSource): Promise<ListComparison | undefined> {
    const { accessions } = this.options;
    let comparison: ListComparison | undefined;
    const work = dataSource.transaction(async (manager) => {
      await acquireWritingLock(manager, 0);
      await accessions.requireServicePrefix(manager);
      await requireEmpty(manager, tables);
      await manager.query('LOCK TABLE terms, use_class_labels, audit_entries IN EXCLUSIVE MODE');
      // Records of two kinds may have the same accession in DAISY, and keep it as after a restore.
      await manager.query(`SELECT set_config('catalog.restores', 'true', true)`);
      await this.import(manager);
      if (this.report.problems.length > 0) throw new RollBack();
      await manager.query('ANALYZE');
      await this.documents.rebuildAllIn(manager);
      await this.options.requireServiceSecret(manager);
      comparison = await compareLists(this.daisy, manager);
      if (this.options.dryRun) throw new RollBack();
      await moveSequences(manager);
      await accessions.reserveGiven(manager, await this.lastAccession());
    });
    await work.catch((error: unknown) => {
      if (!(error instanceof RollBack)) throw error;
    });
    return comparison;
  }

  private async import(manager: EntityManager): Promise<void> {
    const columns = await readTableColumns(manager);
    const trail = await ImportTrail.open(manager);
    for await (const entries of this.daisy.batches<object>(historySql)) {
      await trail.addEntries(entries);
      this.report.countsOf('history').existed += entries.length;
      this.report.countsOf('history').imported += entries.length;
    }
    for (const source of sourceKinds) {
      const counts = this.report.countsOf(source.kind);
      const rows = new MigratedRows(manager, columns, trail, {
        inserted: (count) => (counts.imported += count),
        refused: ({ id, name }, field, problem) => {
          this.converter.remove(source.kind, id);
          this.report.refuse(source.kind, name, field, problem);
        },
      });
      for await (const batch of this.daisy.batches<SourceRow>(textSql(source))) {
        for (const row of batch) {
          const converted = this.converter.convert(source, row);
          if (converted) rows.add(source.kind, converted);
        }
        await rows.flush(source.resource);
      }
    }
    await new Vocabularies(this.daisy, manager, this.report).import(trail);
    this.converter.requireAllSkipped();
  }

  /** Returns the number of the last accession that DAISY assigned. */
  private async lastAccession(): Promise<number> {
    const [row] = await this.daisy.all<{ last: string }>(
      `SELECT coalesce(max(last), 0) AS last FROM sequences_sequence WHERE name = 'elu_accession'`,
    );
    return Number(row?.last ?? 0);
  }
}
