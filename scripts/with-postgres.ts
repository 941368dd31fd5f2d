import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { prepareCluster } from './postgres/cluster.ts';
import { databaseUrl, spawnServer, stopServer, untilReady } from './postgres/server.ts';

/**
 * Runs a command with a new, empty Postgres, whose URL is in `DATABASE_URL`. Postgres stops when the command ends.
 *
 *     npx node scripts/with-postgres.ts <command> [<argument> ...]
 */
const [command, ...words] = process.argv.slice(2);
if (command === undefined) {
  process.stderr.write('usage: npx node scripts/with-postgres.ts <command> [<argument> ...]\n');
  process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), 'with-postgres-'));
const cluster = await prepareCluster(join(folder, 'postgres'));
const port = await freePort();
const server = spawnServer(cluster, { port, logFile: join(folder, 'postgres.log') });
const url = databaseUrl(cluster, port, 'postgres');
try {
  await untilReady(server, url);
  const child = spawn(command, words, { stdio: 'inherit', env: { ...process.env, DATABASE_URL: url } });
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  await stopServer(server);
  await rm(cluster.place, { recursive: true });
  await rm(folder, { recursive: true });
}
