import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Cluster } from './cluster.ts';

/** Options of a server. */
export interface ServerOptions {
  /** TCP port on 127.0.0.1; no other address and no socket file is opened. */
  readonly port: number;
  /** File to which the server's log is appended. */
  readonly logFile: string;
  /** Further server settings, e.g. `{ fsync: 'off' }`. */
  readonly parameters?: Readonly<Record<string, string>>;
}

const readyTimeoutMs = 60_000;
const pollMs = 50;

/**
 * Starts the server process in its own process group, so that Ctrl-C in a terminal does not reach it. `untilReady` waits
 * until the server accepts connections.
 */
export function spawnServer(cluster: Cluster, { port, logFile, parameters = {} }: ServerOptions): ChildProcess {
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...parameters };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(logFile, 'a', 0o600);
  try {
    return spawn(join(cluster.binFolder, 'postgres'), ['-D', cluster.dataFolder, '-p', String(port), ...flags], {
      ...cluster.account,
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
}

/** Returns the URL of a database of the cluster, with its password. */
export function databaseUrl(cluster: Cluster, port: number, database: string): string {
  return `postgres://postgres:${cluster.password}@127.0.0.1:${String(port)}/${database}`;
}

/** Resolves when the server answers a query. @throws Error if the server ends or does not answer within a minute */
export async function untilReady(server: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  while (!(await answers(url))) {
    if (hasEnded(server)) throw new Error('Postgres ended before it was ready.');
    if (Date.now() > deadline) throw new Error(`Postgres did not answer within ${String(readyTimeoutMs / 1000)} s.`);
    await pause(pollMs);
  }
}

/** Stops the server, which rolls back open transactions and flushes its data. */
export async function stopServer(server: ChildProcess): Promise<void> {
  if (hasEnded(server)) return;
  const exit = once(server, 'exit');
  server.kill('SIGINT');
  await exit;
}

/** Whether the database at the URL answers a query now. */
export async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function hasEnded(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null;
}
