import { execFileSync } from 'node:child_process';
import { createTestDatabase } from '../test/support/test-database.ts';
import { testSettings } from '../test/support/test-logs.ts';
import { builtFile, whileServiceRuns } from './built-service.ts';
import { freePort } from './free-port.ts';

/** A running catalog from the build. */
export interface CatalogService {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Runs a command of the catalog, such as `import full`. */
  readonly command: (...args: string[]) => void;
}

/** Runs some work with the built catalog over a new, empty database. The tests' Postgres must be running. */
export async function withCatalogService(
  settings: Readonly<Record<string, string>>,
  work: (service: CatalogService) => Promise<void>,
): Promise<void> {
  const { url } = await createTestDatabase();
  await withCatalogOver(url, settings, work);
}

/** Runs some work with the built catalog over an existing, empty database, which is kept. */
export async function withCatalogOver(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
  work: (service: CatalogService) => Promise<void>,
): Promise<void> {
  const port = settings['PORT'] ?? String(await freePort());
  const own = { DATABASE_URL: databaseUrl, HOST: '127.0.0.1', LOG_LEVEL: 'error', ...settings, PORT: port };
  const env = { ...process.env, ...testSettings(own) };
  const command = (...args: string[]): void => {
    execFileSync(process.execPath, [builtFile('catalog-api/dist/cli.js'), ...args], { env, stdio: 'inherit' });
  };
  command('migrate');
  const url = `http://127.0.0.1:${port}`;
  await whileServiceRuns('catalog-api/dist/main.js', own, () => work({ url, command }));
}
