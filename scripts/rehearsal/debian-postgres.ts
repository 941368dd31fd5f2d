import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { postgresAccount } from '../postgres/account.ts';
import type { Cluster } from '../postgres/cluster.ts';
import { databaseUrl, spawnServer, stopServer, untilReady } from '../postgres/server.ts';

/** A Postgres server with the programs of its version. */
export interface DebianPostgres {
  /** Returns the URL of a database of the server, which need not exist. */
  readonly urlOf: (database: string) => string;
  /** Returns the path of a program: `pg_dump`, `pg_restore` or `psql`. */
  readonly program: (name: string) => string;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

/**
 * Starts the newest Postgres of Debian's packages on loopback. The tests' Postgres from the npm registry lacks `pg_dump`,
 * and `pg_dump` refuses a newer server.
 *
 * @throws Error if no package `postgresql` is installed
 */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  const binFolder = newestPrograms();
  const account = postgresAccount();
  const folder = await mkdtemp(join(tmpdir(), 'rehearsal-'));
  const cluster: Cluster = {
    ...{ place: folder, dataFolder: join(folder, 'data'), binFolder, account },
    password: randomBytes(24).toString('base64url'),
  };
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, cluster.password, { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined) {
    for (const path of [folder, passwordFile]) chownSync(path, account.uid, account.gid);
  }
  const authentication = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const flags = [
    ...authentication,
    '--no-sync',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    `--pgdata=${cluster.dataFolder}`,
  ];
  execFileSync(join(binFolder, 'initdb'), flags, { ...account, cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] });
  const port = await freePort();
  const server = spawnServer(cluster, { port, logFile: join(folder, 'log'), parameters: { fsync: 'off' } });
  await untilReady(server, databaseUrl(cluster, port, 'postgres'));
  return {
    urlOf: (database) => databaseUrl(cluster, port, database),
    program: (name) => join(binFolder, name),
    async stop() {
      await stopServer(server);
      await rm(folder, { recursive: true });
    },
  };
}

function newestPrograms(): string {
  const place = '/usr/lib/postgresql';
  const versions = existsSync(place) ? readdirSync(place).map(Number) : [];
  const folder = join(place, String(Math.max(0, ...versions)), 'bin');
  if (!existsSync(join(folder, 'pg_dump')))
    throw new Error('pg_dump is missing: install the Debian package postgresql.');
  return folder;
}
