import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { DataSource } from 'typeorm';
import { createTestDatabase, templateDatabase } from '../../../test/support/test-database.ts';
import { importBackup } from '../src/app/backup/backup-import.js';
import { entities } from '../src/app/entities.js';
import { storedLists } from '../src/records/definitions/stored-lists.js';
import { dataSourceOptions, withDataSource } from '../src/platform/database/data-source.js';
import { StoredDocuments } from '../src/publishing/documents/stored-documents.js';
import { catalogSettings } from '../src/app/catalog.settings.js';
import { Accessions } from '../src/publishing/writing/accessions.js';
import { AccessionsSettings } from '../src/publishing/writing/accessions.settings.js';
import { DatabaseSettings } from '../src/platform/database/database.settings.js';
import { DocumentsSettings } from '../src/publishing/documents/documents.settings.js';

/** A migrated database of one suite, with a connection. */
export interface TestStore {
  readonly url: string;
  readonly dataSource: DataSource;
  readonly documents: StoredDocuments;
  /** Imports records in the backup format, without the header line. */
  fill(records: readonly object[]): Promise<void>;
  drop(): Promise<void>;
}

/** Creates an empty, migrated catalog database. */
export async function createTestStore(environment: Readonly<Record<string, string>> = {}): Promise<TestStore> {
  const database = await createTestDatabase(await migratedDatabase());
  const settings = catalogSettings({ ...environment, DATABASE_URL: database.url });
  const dataSource = await new DataSource(dataSourceOptions(settings.get(DatabaseSettings), entities)).initialize();
  const documents = new StoredDocuments(settings.get(DocumentsSettings), dataSource, storedLists);
  const accessions = new Accessions(settings.get(AccessionsSettings));
  return {
    url: database.url,
    dataSource,
    documents,
    async fill(records) {
      const lines = [{ record: 'catalog', format: 1, accessions: 0 }, ...records].map((each) => JSON.stringify(each));
      const input = Readable.from(lines.map((line) => Buffer.from(`${line}\n`)));
      await importBackup(dataSource, input, { accessions, documents });
    },
    async drop() {
      await dataSource.destroy();
      await database.drop();
    },
  };
}

const migrations = new URL('../src/platform/database/migrations/', import.meta.url);

/**
 * Returns the name of a migrated database to copy, because migrating takes longer than most suites. The name contains a
 * digest of the migrations.
 */
async function migratedDatabase(): Promise<string> {
  const digest = createHash('sha256');
  for (const file of (await readdir(migrations)).sort()) digest.update(await readFile(new URL(file, migrations)));
  return templateDatabase(`migrated_${digest.digest('hex').slice(0, 16)}`, (url) =>
    withDataSource(catalogSettings({ DATABASE_URL: url }).get(DatabaseSettings), entities, async (dataSource) => {
      await dataSource.runMigrations();
    }),
  );
}
