import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Readable } from 'node:stream';
import { DataSource } from 'typeorm';
import { createTestDatabase } from '../../../../test/support/test-database.ts';
import { importBackup } from '../../src/backup/backup-import.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { StoredDocuments } from '../../src/documents/stored-documents.js';
import { startServer } from '../../src/server.js';
import { catalogSettings } from '../../src/settings.js';

/** The global key of every test catalog. */
export const globalKey = 'global-key-of-the-tests-0123456789abcdef';

/** A migrated database of a suite's own, connected to. */
export interface TestStore {
  readonly url: string;
  readonly dataSource: DataSource;
  readonly documents: StoredDocuments;
  /** Imports records of the backup form, given without the header line. */
  fill(records: readonly object[]): Promise<void>;
  drop(): Promise<void>;
}

/** Makes an empty, migrated catalog database. */
export async function createTestStore(environment: Readonly<Record<string, string>> = {}): Promise<TestStore> {
  const database = await createTestDatabase();
  const settings = catalogSettings({ DATABASE_URL: database.url, HOME_ORGANISATION: 'Home Institute', ...environment });
  const dataSource = await new DataSource(dataSourceOptions(settings)).initialize();
  await dataSource.runMigrations();
  const documents = new StoredDocuments(settings, dataSource);
  return {
    url: database.url,
    dataSource,
    documents,
    async fill(records) {
      const lines = [{ record: 'catalog', format: 1, accessions: 0 }, ...records].map((each) => JSON.stringify(each));
      await importBackup(dataSource, Readable.from(lines.map((line) => `${line}\n`)), {
        accessionPrefix: settings.ACCESSION_PREFIX,
        documents,
      });
    },
    async drop() {
      await dataSource.destroy();
      await database.drop();
    },
  };
}

/** A running catalog-api with a database of its own. */
export interface TestCatalog extends TestStore {
  readonly app: NestFastifyApplication;
  readonly origin: string;
  /** Sends a request; `key` goes into the header `X-API-Key`. */
  request(path: string, options?: RequestInit & { key?: string }): Promise<Response>;
  stop(): Promise<void>;
}

/** Starts the real service on a free loopback port. */
export async function startTestCatalog(environment: Readonly<Record<string, string>> = {}): Promise<TestCatalog> {
  const store = await createTestStore(environment);
  const app = await startServer({
    DATABASE_URL: store.url,
    GLOBAL_API_KEY: globalKey,
    HOME_ORGANISATION: 'Home Institute',
    LOG_LEVEL: 'error',
    PORT: '0',
    ...environment,
  }).catch(async (error: unknown) => {
    await store.drop();
    throw error;
  });
  const origin = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  return {
    ...store,
    app,
    origin,
    request: (path, { key, headers, ...options } = {}) =>
      fetch(new URL(path, origin), {
        ...options,
        headers: { ...(headers as Record<string, string> | undefined), ...(key !== undefined && { 'X-API-Key': key }) },
      }),
    async stop() {
      await app.close();
      await store.drop();
    },
  };
}
