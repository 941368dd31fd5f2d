import { execFile } from 'node:child_process';
import { glob, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../scripts/free-port.ts';
import { provisionerV8Options } from '../scripts/launcher/services.ts';
import startPostgres from '../test/support/postgres.setup.ts';
import stopPostgres from '../test/support/postgres.teardown.ts';
import { createTestDatabase } from '../test/support/test-database.ts';
import { answers, ended, startChild } from './child-server.ts';
import { urlOf } from './copy-stage.ts';

const run = promisify(execFile);
const built = (file: string): string => new URL(`../apps/provisioner/dist/${file}`, import.meta.url).pathname;

/** The delay of each call to the storage, as of a network file system. */
const callMicroseconds = 2_000;

/** One import by several workers. */
export interface ScaledImport {
  /** Seconds from the start of the import to its publication. */
  readonly seconds: number;
  /** The share of all processors that was busy, by any process of the machine. */
  readonly processors: number;
}

/** A storage that is slow for each call, and one dataset that workers import into it. */
export class ShardStage {
  readonly source: string;
  private readonly root: string;
  private readonly library: string;

  private constructor(root: string, library: string, source: string) {
    this.root = root;
    this.library = library;
    this.source = source;
  }

  /** Starts Postgres and compiles the library that delays calls. Requires a C compiler. */
  static async create(): Promise<ShardStage> {
    const root = await mkdtemp(join(tmpdir(), 'bench-shards-'));
    const library = join(root, 'slow-calls.so');
    const code = new URL('slow-calls.c', import.meta.url).pathname;
    await run('cc', ['-shared', '-fPIC', '-O2', '-w', '-o', library, code, '-ldl']);
    const source = join(root, 'source');
    await mkdir(source);
    await startPostgres();
    return new ShardStage(root, library, source);
  }

  /** Imports DS-1 into an empty storage. @param settings of the workers, such as `SHARD_FILES` */
  async import(workers: number, settings: Readonly<Record<string, string>>): Promise<ScaledImport> {
    const storage = join(this.root, 'storage');
    await mkdir(storage);
    const database = await createTestDatabase();
    const env = {
      ...process.env,
      ...{ SOURCE_URL: urlOf(this.source), STORAGE_URL: urlOf(storage), SOURCE_SETTLE: '0', QUEUE_URL: database.url },
      ...{ HOST: '127.0.0.1', LOG_LEVEL: 'warn', GLOBAL_API_KEY: 'x'.repeat(32), COPY_THREADS: '1', ...settings },
    };
    const slow = { LD_PRELOAD: this.library, SLOW_ROOT: storage, SLOW_MICROSECONDS: String(callMicroseconds) };
    const children = await Promise.all(
      Array.from({ length: workers }, async () => {
        const port = await freePort();
        const child = startChild(built('worker.js'), [], { ...env, ...slow, PORT: String(port) }, provisionerV8Options);
        await answers(port, child);
        return child;
      }),
    );
    try {
      const before = await processorTimes();
      await run(process.execPath, [built('cli.js'), 'import', 'DS-1'], { env, maxBuffer: 64 * 1024 * 1024 });
      const after = await processorTimes();
      const processors = (after.busy - before.busy) / (after.all - before.all);
      return { seconds: await secondsOfImport(storage), processors };
    } finally {
      await Promise.all(children.map((child) => ended(child)));
      await database.drop();
      await run('chmod', ['-R', 'u+w', storage]);
      await rm(storage, { recursive: true, force: true });
    }
  }

  async remove(): Promise<void> {
    await stopPostgres();
    delete process.env['TEST_POSTGRES_URL'];
    await rm(this.root, { recursive: true, force: true });
  }
}

/** Prints a point of the curve, with the load of the machine. */
export function printPoint(workers: number, { seconds, processors }: ScaledImport): void {
  const busy = `${String(Math.round(processors * 100))} % of the processors busy`;
  const [load = 0] = loadavg();
  process.stderr.write(`${String(workers)} workers: ${seconds.toFixed(1)} s, ${busy}, load ${load.toFixed(1)}\n`);
}

/** Reads the duration of the only import that has ended. */
async function secondsOfImport(storage: string): Promise<number> {
  for await (const path of glob(join(storage, 'data/.requests/done/**/*.json'))) {
    const ending = JSON.parse(await readFile(path, 'utf8')) as Record<'state' | 'started_at' | 'finished_at', string>;
    if (ending.state !== 'finished') throw new Error(`The import ended as ${ending.state}.`);
    return (Date.parse(ending.finished_at) - Date.parse(ending.started_at)) / 1000;
  }
  throw new Error('No import has ended.');
}

/** Returns the times of all processors since the start of the machine, in ticks. */
async function processorTimes(): Promise<{ readonly all: number; readonly busy: number }> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  const [, ...fields] = line.trim().split(/\s+/);
  const ticks = fields.slice(0, 8).map(Number);
  const [, , , idle = 0, waiting = 0] = ticks;
  const all = ticks.reduce((sum, each) => sum + each, 0);
  return { all, busy: all - idle - waiting };
}
