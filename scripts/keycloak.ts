import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

const version = '26.2.5';
const cacheFolder = join(import.meta.dirname, '..', '.cache');
const homeFolder = join(cacheFolder, `keycloak-${version}`);
const realmFile = join(import.meta.dirname, '..', 'test', 'keycloak', 'realm.json');

const readyTimeoutMs = 600_000; // a busy machine takes minutes for the first start
const pollMs = 250;

/** A Keycloak that runs on this machine, with the realm `ardenne` of `test/keycloak/realm.json`. */
export interface RunningKeycloak {
  /** `http://127.0.0.1:<port>`, without a last slash. */
  readonly url: string;
  /** Stops Keycloak, which loses its changes. */
  stop(): Promise<void>;
}

/**
 * Starts a real Keycloak on loopback, in memory only. Requires a JDK from 17 and, the first time, Maven, which downloads
 * the distribution into `.cache/`.
 *
 * @param port on which Keycloak listens; by default a free port
 */
export async function startKeycloak(port?: number): Promise<RunningKeycloak> {
  if (!existsSync(join(homeFolder, 'bin', 'kc.sh'))) await fetchDistribution();
  await mkdir(join(homeFolder, 'data', 'import'), { recursive: true });
  await copyFile(realmFile, join(homeFolder, 'data', 'import', 'realm.json'));
  const chosenPort = port ?? (await freePort());
  const server = spawn(
    join(homeFolder, 'bin', 'kc.sh'),
    [
      'start-dev',
      '--import-realm',
      '--db=dev-mem',
      '--cache=local',
      '--http-host=127.0.0.1',
      `--http-port=${String(chosenPort)}`,
    ],
    { detached: true, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, JAVA_OPTS_APPEND: '-Xmx768m' } },
  );
  const log: string[] = [];
  server.stdout.on('data', (chunk: Buffer) => log.push(chunk.toString()));
  const url = `http://127.0.0.1:${String(chosenPort)}`;
  try {
    await untilReady(server, `${url}/realms/ardenne/.well-known/openid-configuration`);
  } catch (cause) {
    await stop(server);
    throw new Error(`Keycloak did not start:\n${log.join('')}`, { cause });
  }
  return { url, stop: () => stop(server) };
}

/** Unpacks next to the final folder and renames the result, so that an interrupted download leaves no incomplete folder. */
async function fetchDistribution(): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  const workFolder = await mkdtemp(join(cacheFolder, 'fetching-'));
  const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`;
  await promisify(execFile)(
    'mvn',
    ['--quiet', '--batch-mode', 'dependency:unpack', `-Dartifact=${artifact}`, `-DoutputDirectory=${workFolder}`],
    { cwd: workFolder },
  );
  await rename(join(workFolder, basename(homeFolder)), homeFolder);
  await rm(workFolder, { recursive: true });
}

async function untilReady(server: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  while (!(await answers(url))) {
    if (server.exitCode !== null || server.signalCode !== null) throw new Error('Keycloak ended before it was ready.');
    if (Date.now() > deadline) throw new Error(`Keycloak did not answer within ${String(readyTimeoutMs / 1000)} s.`);
    await pause(pollMs);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/** Stops the process group of the launching shell and of Java. */
async function stop(server: ChildProcess): Promise<void> {
  if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, 'exit');
  process.kill(-server.pid, 'SIGTERM');
  await exit;
}

async function runUntilInterrupted(port: number): Promise<void> {
  const keycloak = await startKeycloak(port);
  process.stdout.write(`Keycloak answers at ${keycloak.url} with the realm ardenne; Ctrl-C ends it.\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void keycloak.stop());
}

if (import.meta.main) void runUntilInterrupted(Number(process.argv[2] ?? 8080));
