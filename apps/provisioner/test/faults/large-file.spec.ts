import { randomBytes } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PartNote } from '../../src/copy/part-notes.js';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';
import { until } from '../../../../test/support/until.ts';
import { inTurns } from './support/in-turns.js';
import { RedisDatabases } from './support/redis-databases.js';
import { World } from './support/world.js';

const mebibyte = 1024 * 1024;

/** The rate of the first worker, so that notes exist long before the end of the file. */
const slow = { COPY_RATE_LIMIT: '20M' };

/** Bytes that a worker has read from the source and not yet written. */
const unwritten = 2 * 4 * mebibyte;

/** The signals that stop the first worker within a large file. */
const table = ['SIGTERM', 'SIGKILL', 'SIGSTOP'] as const;

describe('a large file whose worker is stopped', () => {
  let databases: RedisDatabases;
  let runs: Map<string, Promise<{ readonly lost: number }>>;

  beforeAll(async () => {
    await buildServices();
    databases = await RedisDatabases.start();
    runs = inTurns(table, table.length, stoppedBy);
  });

  afterAll(async () => {
    await Promise.allSettled(runs.values());
    await databases.stop();
  });

  it('should be continued without a loss when the worker is stopped in order', async () => {
    expect((await runs.get('SIGTERM'))?.lost).toBeLessThanOrEqual(unwritten);
  });

  it('should be continued after the last note when the worker is killed', async () => {
    expect((await runs.get('SIGKILL'))?.lost).toBeLessThanOrEqual(0);
  });

  it('should stay intact when a paused worker continues after another worker has published the file', async () => {
    expect((await runs.get('SIGSTOP'))?.lost).toBeLessThanOrEqual(0);
  });

  /** Stops a worker by a signal, and finishes the import with a second worker. @returns the bytes that were copied again */
  async function stoppedBy(signal: (typeof table)[number]): Promise<{ readonly lost: number }> {
    const system = await TestSystem.create(databases.next());
    const workers: ServiceProcess[] = [];
    const start = async (settings: Record<string, string>): Promise<ServiceProcess> => {
      const worker = await ServiceProcess.startWorker({ ...system.environment, ...settings });
      workers.push(worker);
      return worker;
    };
    try {
      await system.deliver('SUB-1', { 'DS-1/large': randomBytes(150 * mebibyte), 'DS-1/small': '1' });
      const world = await World.of(system);
      await system.startServer();
      const first = await start(slow);
      const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
      await until(async () => (await notedBytes(system.storage)) > 0);
      const kept = signal === 'SIGTERM' ? await bytesDone(system, id) : await notedBytes(system.storage);
      if (signal === 'SIGSTOP') first.send(signal);
      else await first.end(signal);
      await start({});
      const ended = await system.ended(id);
      expect(ended).toMatchObject({ state: 'finished', attempt: 1 });
      if (signal === 'SIGSTOP') first.send('SIGCONT');
      await Promise.all(workers.map((worker) => worker.end('SIGTERM')));
      await world.check();
      return { lost: kept - ended.progress.bytes_resumed };
    } finally {
      await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
      await system.stop();
    }
  }

  async function bytesDone(system: TestSystem, id: string): Promise<number> {
    return (await system.get(`/imports/${id}`)).body.progress.bytes_done;
  }
});

/** Returns the bytes of the staged part that the note about the file states; 0 if there is no note. */
async function notedBytes(storage: string): Promise<number> {
  for await (const name of glob('data/.staging/dataset/DS-1/*/parts/*', { cwd: storage })) {
    if (!name.endsWith('.tmp')) return (JSON.parse(await readFile(join(storage, name), 'utf8')) as PartNote).bytes;
  }
  return 0;
}
