import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { dataSourceOptions } from '../src/database/data-source.js';
import { startServer } from '../src/server.js';
import { catalogSettings } from '../src/settings.js';

/** The global key of every catalog that a suite starts. */
export const globalKey = 'the-global-key-of-the-test-suites';

/** A catalog that really runs: its HTTP service on a free port, over a Postgres database of its own. */
export interface RunningCatalog {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** The settings it was started with. */
  readonly environment: Readonly<Record<string, string>>;
  /** For what a test prepares and looks up behind the service's back. */
  readonly dataSource: DataSource;
  readonly app: NestFastifyApplication;
  /** Asks it; the key of a caller goes into `X-API-Key`. */
  fetch(path: string, options?: RequestInit & { key?: string }): Promise<Response>;
  stop(): Promise<void>;
}

/** Starts a catalog with an empty, migrated database. */
export async function startCatalog(settings: Readonly<Record<string, string>> = {}): Promise<RunningCatalog> {
  const database = await createTestDatabase();
  const environment = {
    DATABASE_URL: database.url,
    PORT: '0',
    LOG_LEVEL: 'silent',
    GLOBAL_API_KEY: globalKey,
    SERVER_URL: 'https://catalog.example.org',
    ...settings,
  };
  const dataSource = await new DataSource(dataSourceOptions(catalogSettings(environment))).initialize();
  await dataSource.runMigrations();
  const app = await startServer(environment);
  const { port } = app.getHttpServer().address() as { port: number };
  const url = `http://127.0.0.1:${String(port)}`;
  return {
    url,
    environment,
    dataSource,
    app,
    fetch: (path, { key, headers, ...rest } = {}) =>
      fetch(`${url}${path}`, { ...rest, headers: { ...(key && { 'X-API-Key': key }), ...(headers as object) } }),
    async stop() {
      await app.close();
      await dataSource.destroy();
      await database.drop();
    },
  };
}
