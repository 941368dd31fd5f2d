import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failpoint } from '../../src/process/failpoint.js';
import { individualFlushBytes } from '../../src/model/storage.js';
import { layFiles } from '../support/delivery.js';
import { TestSystem } from '../support/system.js';
import { buildProcesses, ServiceProcess } from '../support/service-process.js';
import { inTurns } from './support/in-turns.js';
import { keptAfterKill, type Kept } from './support/killed.js';
import { RedisDatabases } from './support/redis-databases.js';
import { World } from './support/world.js';

const smallFiles = Object.fromEntries(
  Array.from({ length: 30 }, (_, at) => [`DS-1/a/${String(at)}`, `small ${String(at)}`]),
);
/** A small batch, and two files that are batches of their own. */
const delivery = { ...smallFiles, 'DS-1/large': Buffer.alloc(9 << 20, 1), 'DS-1/larger': Buffer.alloc(10 << 20, 2) };
const all = Object.keys(delivery).length;

/** What a worker reads beside the files that it copies, beyond what one reads that has nothing to do. */
const besideBytes = 1 << 20;

/** Where the worker is killed, and how many files are finished by then at least, which nobody may copy again. */
const table: readonly (readonly [Failpoint, number])[] = [
  ['after_plan', 0],
  ['after_claim', 0],
  ['before_journal', 0],
  ['after_journal', 1],
  ['before_sync', all],
  ['after_sync', all],
  ['after_commit_json', all],
  ['before_rename', all],
  ['after_rename', all],
  ['amid_discard', all],
  ['before_done', all],
  ['after_done', all],
  ['before_close', all],
];

describe('a worker that is killed, with its storage in a folder,', () => {
  let databases: RedisDatabases;
  let runs: Map<Failpoint, Promise<Kept>>;
  let idle: Promise<number>;

  beforeAll(async () => {
    await buildProcesses();
    databases = await RedisDatabases.start();
    idle = readByIdleWorker(databases.next());
    runs = inTurns(
      table.map(([failpoint]) => failpoint),
      4,
      killedAt,
    );
  });

  afterAll(async () => {
    await Promise.allSettled([idle, ...runs.values()]);
    await databases.stop();
  });

  it.each(table)('at %s should be succeeded by another, which keeps the %i files or more', async (at, least) => {
    const kept = await runs.get(at);
    expect(kept?.files).toBeGreaterThanOrEqual(least);
    expect(kept?.bytesRead).toBeLessThan((await idle) + (kept?.bytesMade ?? 0) + besideBytes);
  });

  it('after a flush failed and before that was noted should be succeeded by one that believes only what was flushed by itself', async () => {
    const system = await TestSystem.create(databases.next());
    const [bin, { PATH = '' }] = [join(system.root, 'bin'), process.env];
    await layFiles(bin, { sync: '#!/bin/sh\nexit 1\n' });
    await chmod(join(bin, 'sync'), 0o755);
    const settings = { FAILPOINT: 'flush_failed', PATH: `${bin}:${PATH}` };
    const large = { 'DS-1/huge': Buffer.alloc(individualFlushBytes, 3) };
    expect(await keptAfterKill(system, null, { ...delivery, ...large }, settings)).toMatchObject({ files: 1 });
  });

  async function killedAt(failpoint: Failpoint): Promise<Kept> {
    return keptAfterKill(await TestSystem.create(databases.next()), null, delivery, { FAILPOINT: failpoint });
  }
});

async function readByIdleWorker(settings: Record<string, string>): Promise<number> {
  const system = await TestSystem.create(settings);
  const worker = await ServiceProcess.startWorker(system.environment);
  const bytes = await worker.bytesRead();
  await worker.end('SIGTERM');
  await system.stop();
  return bytes;
}

describe('a server that is killed', () => {
  it('between two steps of accepting an import should leave one import, which is found and runs', async () => {
    const system = await TestSystem.create();
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-2/a': '1' });
    const world = await World.of(system);
    const killed = await ServiceProcess.startServer({ ...system.environment, FAILPOINT: 'request_open' });
    await expect(system.askAt(killed.url, 'DS-1')).rejects.toThrow();
    await system.startServer();
    await system.startWorker();
    const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-2' })).body;
    const [other] = (await system.get('/imports?subject=DS-1')).body.items;
    for (const each of [id, other?.id ?? '']) expect(await system.ended(each)).toMatchObject({ state: 'finished' });
    await world.check();
    await system.stop();
  });
});
