import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { freePort } from '../scripts/free-port.ts';
import { provisionerV8Options } from '../scripts/launcher/services.ts';
import startPostgres from '../test/support/postgres.setup.ts';
import stopPostgres from '../test/support/postgres.teardown.ts';
import { createTestDatabase } from '../test/support/test-database.ts';
import { peakMbOf } from './copy-stage.ts';

/** Datasets in one submission. */
const perSubmission = 100;

/** One dataset in this number is not imported. */
const oneMissingIn = 100;

/** A source and a storage that hold nearly the same datasets, as folders. */
export class DiffStage {
  readonly root = mkdtempSync(join(tmpdir(), 'diff-bench-'));
  readonly source = join(this.root, 'source');
  readonly storage = join(this.root, 'storage');
  readonly raw = join(this.storage, 'data/raw');
  private published = 0;

  /** Writes datasets into the source, and 99 % of them into storage. */
  constructor(datasets: number) {
    mkdirSync(this.raw, { recursive: true });
    for (let number = 0; number < datasets; number += 1) {
      const submission = `SUB-${String(Math.floor(number / perSubmission)).padStart(6, '0')}`;
      const id = `DS-${String(number).padStart(6, '0')}`;
      mkdirSync(join(this.source, submission, id), { recursive: true });
      if (number % oneMissingIn !== 0) this.import(id, submission);
    }
  }

  /** Adds one dataset to storage, as a worker does. */
  publish(): void {
    this.published += 1;
    this.import(`EXTRA-${String(this.published)}`, 'SUB-EXTRA');
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }

  private import(id: string, submission: string): void {
    const folder = join(this.raw, id, '.import');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'commit.json'), commitOf(id, submission));
  }
}

/** Returns a commit record in the form that imports write. */
export function commitOf(id: string, submission: string): string {
  const instant = '2026-01-01T00:00:00.000Z';
  const digest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const commit = {
    schema: 'provisioner-commit/1',
    ...{ kind: 'dataset', id, import_id: `01KDVSEH0${id.replaceAll('-', '').padStart(17, '0')}`, attempt: 1 },
    ...{ requested_by: 'global key', requested_at: instant, started_at: instant, imported_at: instant },
    source: { submission, locator: `${submission}/${id}`, fingerprint: `sha256:${digest}` },
    content: { files: 0, folders: 0, bytes: 0, list_sha256: digest, manifest_sha256: digest },
    declared: [],
    agent: { service: 'provisioner', node: process.version },
  };
  return `${JSON.stringify(commit, null, 2)}\n`;
}

/** The HTTP service over a stage. */
export interface RunningService {
  /** Reads an answer to its end. @returns its size in bytes */
  readonly read: (path: string) => Promise<number>;
  /** Returns the peak resident memory of its process, in MB. */
  readonly peakMb: () => Promise<number>;
}

/** Starts the built service, waits until it has scanned the source, runs some work with it and stops it. */
export async function withService<T>(stage: DiffStage, work: (service: RunningService) => Promise<T>): Promise<T> {
  await startPostgres();
  const { url } = await createTestDatabase();
  const port = await freePort();
  const key = 'the-global-key-of-the-benchmarks';
  const env = {
    ...process.env,
    ...{ PORT: String(port), HOST: '127.0.0.1', GLOBAL_API_KEY: key, LOG_LEVEL: 'warn', QUEUE_URL: url },
    ...{ SOURCE_URL: pathToFileURL(stage.source).href, STORAGE_URL: pathToFileURL(stage.storage).href },
    SOURCE_SCAN_INTERVAL: '86400',
  };
  const main = new URL('../apps/provisioner/dist/main.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [...provisionerV8Options, main], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const read = async (path: string): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${String(port)}${path}`, { headers: { 'X-API-Key': key } });
    if (!response.ok) throw new Error(`GET ${path} failed with status ${String(response.status)}`);
    let bytes = 0;
    for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
    return bytes;
  };
  try {
    await until(child.pid ?? 0, () => read('/health/ready'));
    return await work({ read, peakMb: () => peakMbOf(child.pid ?? 0) });
  } finally {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
    await stopPostgres();
    delete process.env['TEST_POSTGRES_URL'];
  }
}

async function until(pid: number, call: () => Promise<unknown>): Promise<void> {
  const betweenTriesMs = 200;
  for (;;) {
    const isThere = await call().then(
      () => true,
      () => false,
    );
    if (isThere) return;
    process.kill(pid, 0);
    await pause(betweenTriesMs);
  }
}
