import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { testSettings } from '../../../test/support/test-logs.ts';
import { startServer } from '../src/app/server.js';
import { createTestStore, type TestStore } from './store.js';

/** The global key of every catalog that a suite starts. */
export const globalKey = 'the-global-key-of-the-test-suites';

/** A running catalog: the HTTP service on a free port with a separate Postgres database. */
export interface RunningCatalog extends Pick<TestStore, 'dataSource' | 'documents' | 'fill'> {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** The environment with which the catalog was started. */
  readonly environment: Readonly<Record<string, string>>;
  readonly app: NestFastifyApplication;
  /** Sends a request. The option `key` becomes the header `X-API-Key`. */
  fetch(path: string, options?: RequestInit & { key?: string }): Promise<Response>;
  stop(): Promise<void>;
}

/** Starts a catalog with an empty, migrated database. */
export async function startCatalog(settings: Readonly<Record<string, string>> = {}): Promise<RunningCatalog> {
  const own = testSettings({
    PORT: '0',
    LOG_LEVEL: 'silent',
    GLOBAL_API_KEY: globalKey,
    SERVER_URL: 'https://catalog.example.org',
    ...settings,
  });
  const { url: databaseUrl, drop, ...store } = await createTestStore(own);
  const environment = { ...own, DATABASE_URL: databaseUrl };
  const app = await startServer(environment);
  const { port } = app.getHttpServer().address() as { port: number };
  const url = `http://127.0.0.1:${String(port)}`;
  return {
    url,
    environment,
    ...store,
    app,
    fetch: (path, { key, headers, ...rest } = {}) =>
      fetch(`${url}${path}`, { ...rest, headers: { ...(key && { 'X-API-Key': key }), ...(headers as object) } }),
    async stop() {
      await app.close();
      await drop();
    },
  };
}
