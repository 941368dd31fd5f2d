import type { DataSource, EntityManager } from 'typeorm';
import { compareLists, type ListComparison } from './comparison.js';
import { sourceKinds } from './daisy-migration.js';
import type { DaisyDatabase } from './daisy-database.js';
import { migrationActor } from './migrated-rows.js';
import type { MigrationReport } from './migration-report.js';
import { RecordConverter, textSql, type ConverterOptions, type SourceRow } from './record-converter.js';
import type { SourceKind } from './source-kind.js';

/** Whether the catalog contains the records of a migration. */
export async function isMigrated(manager: EntityManager): Promise<boolean> {
  const [{ found }] = await manager.query<[{ found: boolean }]>(
    `SELECT EXISTS (SELECT FROM audit_entries WHERE actor = $1 AND action = 'import') AS found`,
    [migrationActor],
  );
  return found;
}

/** Selects those of some records that the DAISY changed or added after the migration. */
const laterRecords = `
  SELECT given.name, entry.id IS NULL AS added
    FROM unnest($2::text[], $3::text[], $4::text[]) AS given (id, name, origin)
    LEFT JOIN audit_entries AS entry
      ON entry.resource = $1 AND entry.record_id = given.id AND entry.action = 'import' AND entry.actor = $5
   WHERE entry.after IS DISTINCT FROM given.origin::jsonb`;

/** A second run of a migration. Compares the DAISY with its records at the time of the migration, and writes nothing. */
export class MigrationRecheck {
  private readonly converter: RecordConverter;

  constructor(
    private readonly daisy: DaisyDatabase,
    private readonly report: MigrationReport,
    options: ConverterOptions,
  ) {
    this.converter = new RecordConverter(report, options);
  }

  async run({ manager }: DataSource): Promise<ListComparison> {
    for (const source of sourceKinds) {
      for await (const batch of this.daisy.batches<SourceRow>(textSql(source))) {
        await this.compare(manager, source, batch);
      }
    }
    this.converter.requireAllSkipped();
    return compareLists(this.daisy, manager);
  }

  private async compare(manager: EntityManager, source: SourceKind, batch: readonly SourceRow[]): Promise<void> {
    const imported = batch.flatMap((row) => this.converter.convert(source, row) ?? []);
    const later = await manager.query<{ name: string; added: boolean }[]>(laterRecords, [
      source.resource,
      imported.map(({ id }) => String(id)),
      imported.map(({ name }) => name),
      imported.map(({ origin }) => origin),
      migrationActor,
    ]);
    this.report.countsOf(source.kind).unchanged += imported.length - later.length;
    for (const { name, added } of later) {
      this.report.later.push(`${source.kind}/${name}: ${added ? 'added' : 'changed'} in DAISY after the migration`);
    }
  }
}
