import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failpoint } from '../../src/process/failpoint.js';
import { individualFlushBytes } from '../../src/model/workspace.js';
import { layFiles } from '../support/delivery.js';
import { TestSystem } from '../support/system.js';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { inTurns } from './support/in-turns.js';
import { reuseAfterKill, type Reuse } from './support/killed.js';
import { RedisDatabases } from './support/redis-databases.js';
import { World } from './support/world.js';

const smallFiles = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [`DS-1/a/${String(index)}`, `small ${String(index)}`]),
);
/** A batch of small files, and two files that are separate batches. */
const delivery = { ...smallFiles, 'DS-1/large': Buffer.alloc(9 << 20, 1), 'DS-1/larger': Buffer.alloc(10 << 20, 2) };
const all = Object.keys(delivery).length;

/** Bytes that a worker may read in addition to the copied files and to the bytes that an idle worker reads. */
const extraBytes = 1 << 20;

/** The failpoint, and the minimum number of files finished there. Finished files must not be copied again. */
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

describe('a killed worker with its storage in a folder', () => {
  let databases: RedisDatabases;
  let runs: Map<Failpoint, Promise<Reuse>>;
  let idle: Promise<number>;

  beforeAll(async () => {
    await buildServices();
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

  it.each(table)(
    'should leave its files to the next worker when a worker is killed at %s, at least %i files',
    async (failpoint, least) => {
      const reuse = await runs.get(failpoint);
      expect(reuse?.files).toBeGreaterThanOrEqual(least);
      expect(reuse?.bytesRead).toBeLessThan((await idle) + (reuse?.bytesCopied ?? 0) + extraBytes);
    },
  );

  it('should leave only individually flushed files to the next worker when it is killed after a failed flush', async () => {
    const system = await TestSystem.create(databases.next());
    const [bin, { PATH = '' }] = [join(system.root, 'bin'), process.env];
    await layFiles(bin, { sync: '#!/bin/sh\n[ "$2" = /proc ]\n' });
    await chmod(join(bin, 'sync'), 0o755);
    const settings = { FAILPOINT: 'flush_failed', PATH: `${bin}:${PATH}` };
    const large = { 'DS-1/huge': Buffer.alloc(individualFlushBytes, 3) };
    expect(await reuseAfterKill(system, null, { ...delivery, ...large }, settings)).toMatchObject({ files: 1 });
  });

  async function killedAt(failpoint: Failpoint): Promise<Reuse> {
    return reuseAfterKill(await TestSystem.create(databases.next()), null, delivery, { FAILPOINT: failpoint });
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

describe('a killed server', () => {
  it('should leave one import that runs when it is killed while it accepts the import', async () => {
    const system = await TestSystem.create();
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-2/a': '1' });
    const world = await World.of(system);
    const killed = await ServiceProcess.start('provisioner/dist/main.js', {
      ...system.environment,
      FAILPOINT: 'request_open',
    });
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
