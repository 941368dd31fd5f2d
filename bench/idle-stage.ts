import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { freePort } from '../scripts/free-port.ts';
import { provisionerV8Options } from '../scripts/launcher/services.ts';
import startPostgres from '../test/support/postgres.setup.ts';
import stopPostgres from '../test/support/postgres.teardown.ts';
import { createTestDatabase } from '../test/support/test-database.ts';
import { answers, ended, startChild } from './child-server.ts';
import { commitOf } from './diff-stage.ts';

/** Files of one dataset. */
const perDataset = 1_000;

/** Datasets of one submission. */
const perSubmission = 100;

/** The time after which a started process is idle: longer than a round over the source. */
const settleMs = 60_000;

/** The system calls on paths, and those that list folders or flush files. Calls on open files and sockets look alike, so `read` and `write` are left out. */
const fileCalls = '%file,getdents64,fstat,fsync,fdatasync,syncfs';

const built = (file: string): string => new URL(`../apps/provisioner/dist/${file}`, import.meta.url).pathname;

/** Writes a source and a storage that contains every dataset of it. */
function lay(root: string, files: number): void {
  for (let number = 0; number * perDataset < files; number += 1) {
    const submission = `SUB-${String(Math.floor(number / perSubmission)).padStart(6, '0')}`;
    const id = `DS-${String(number).padStart(6, '0')}`;
    const delivery = join(root, 'source', submission, id);
    mkdirSync(delivery, { recursive: true });
    for (let file = 0; file < perDataset; file += 1) writeFileSync(join(delivery, String(file)), '');
    const records = join(root, 'storage/data/raw', id, '.import');
    mkdirSync(records, { recursive: true });
    writeFileSync(join(records, 'commit.json'), commitOf(id, submission));
  }
}

/**
 * Starts two built services and a built worker over a source whose files are all imported, waits until they are idle, and
 * counts their system calls on files.
 *
 * @returns the calls per second of all three processes together
 */
export async function idleCallsPerSecond(files: number, seconds: number): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'idle-bench-'));
  lay(root, files);
  await startPostgres();
  const { url } = await createTestDatabase();
  const env = {
    ...process.env,
    ...{ HOST: '127.0.0.1', GLOBAL_API_KEY: 'x'.repeat(32), LOG_LEVEL: 'warn', QUEUE_URL: url },
    ...{ SOURCE_URL: pathToFileURL(join(root, 'source')).href, STORAGE_URL: pathToFileURL(join(root, 'storage')).href },
  };
  const children = [];
  try {
    for (const file of ['main.js', 'main.js', 'worker.js']) {
      const port = await freePort();
      const child = startChild(built(file), [], { ...env, PORT: String(port) }, provisionerV8Options);
      children.push(child);
      await answers(port, child);
    }
    await pause(settleMs);
    const counts = await Promise.all(
      children.map(({ pid = 0 }) => countCalls(pid, seconds, join(root, `${String(pid)}.txt`))),
    );
    return counts.reduce((sum, count) => sum + count, 0) / seconds;
  } finally {
    for (const child of children) await ended(child);
    await stopPostgres();
    delete process.env['TEST_POSTGRES_URL'];
    rmSync(root, { recursive: true });
  }
}

/** Counts the calls of a process and of all its threads. */
async function countCalls(pid: number, seconds: number, report: string): Promise<number> {
  const strace = spawn('strace', ['-c', '-f', '-e', `trace=${fileCalls}`, '-o', report, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const hasEnded = once(strace, 'exit');
  await pause(seconds * 1000);
  strace.kill('SIGINT');
  await hasEnded;
  const text = readFileSync(report, 'utf8');
  // The last line is the total: % time, seconds, usecs/call, calls, errors.
  const total = /^\s*100\.00\s+\S+\s+\S+\s+(\d+).*total$/m.exec(text)?.[1];
  if (total === undefined && text.trim() !== '') throw new Error(`strace printed no total:\n${text}`);
  return Number(total ?? 0);
}
