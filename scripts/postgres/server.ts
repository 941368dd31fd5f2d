import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Cluster } from './cluster.ts';

/** How a server is started on a cluster. */
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
 * Starts the server process, in a process group of its own, so that Ctrl-C in a terminal does not reach it; it takes
 * connections some moments later (`untilReady`).
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

/** The URL of a database of the cluster, with its password. */
export function databaseUrl(cluster: Cluster, port: number, database: string): string {
  return `postgres://postgres:${cluster.password}@127.0.0.1:${String(port)}/${database}`;
}

/** Resolves when the server answers a query; rejects when it has not within a minute, or has ended. */
export async function untilReady(server: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  while (!(await answers(url))) {
    if (hasEnded(server)) throw new Error('Postgres ended while it started.');
    if (Date.now() > deadline) throw new Error(`Postgres did not answer within ${String(readyTimeoutMs / 1000)} s.`);
    await pause(pollMs);
  }
}

/** Ends the server: open transactions are rolled back, the data is flushed. */
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
