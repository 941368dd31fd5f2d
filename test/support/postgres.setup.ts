import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/free-port.ts';
import { prepareCluster } from '../../scripts/postgres/cluster.ts';
import { databaseUrl, spawnServer, stopServer, untilReady } from '../../scripts/postgres/server.ts';

/** Settings of the server. Its data does not survive the run, so no write waits for the disk. */
const parameters = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };

/**
 * Starts the Postgres server of a test run, unless `TEST_POSTGRES_URL` names one. Sets this variable to the server's URL
 * for the suites.
 */
export default async function startPostgres(): Promise<void> {
  if (process.env['TEST_POSTGRES_URL']) return;
  const folder = await mkdtemp(join(tmpdir(), 'data-catalog-test-'));
  const cluster = await prepareCluster(join(folder, 'postgres'));
  const port = await freePort();
  const server = spawnServer(cluster, { port, parameters, logFile: join(folder, 'postgres.log') });
  endWithThisProcess(server);
  const url = databaseUrl(cluster, port, 'postgres');
  await untilReady(server, url);
  process.env['TEST_POSTGRES_URL'] = url;
  globalThis.stopTestPostgres = async () => {
    await stopServer(server);
    await rm(cluster.place, { recursive: true });
    await rm(folder, { recursive: true });
  };
}

/** Stops the server if the run is interrupted, because an interrupted run has no teardown. */
function endWithThisProcess(server: ChildProcess): void {
  process.once('exit', () => server.kill('SIGINT'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      process.exit(1);
    });
  }
}

declare global {
  /** Set by the setup for the teardown of the same run. */
  var stopTestPostgres: (() => Promise<void>) | undefined;
}
