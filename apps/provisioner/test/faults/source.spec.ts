import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  link,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aDataPackage } from '../support/delivery.js';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';
import { hasHalted } from './support/halted.js';
import { inTurns } from './support/in-turns.js';
import { RedisDatabases } from './support/redis-databases.js';
import { World } from './support/world.js';

const run = promisify(execFile);

/** Entries that a delivery must not contain, and the code of the rejection. */
const unfit: readonly (readonly [string, (folder: string) => Promise<unknown>, string])[] = [
  ['a link to a file of the system', (folder) => symlink('/etc/passwd', join(folder, 'x')), 'file.symlink'],
  ['a link to a sibling', (folder) => symlink('../DS-OTHER', join(folder, 'x')), 'file.symlink'],
  ['a link to itself', (folder) => symlink('x', join(folder, 'x')), 'file.symlink'],
  ['a pipe', (folder) => run('mkfifo', [join(folder, 'x')]), 'file.special'],
  ['a socket', (folder) => once(createServer().listen(join(folder, 'x')).unref(), 'listening'), 'file.special'],
];

/** A change that would block a reader: a read of a pipe waits for a writer. */
const withPipe = 'gets a pipe in place of a file';

/** Changes of a delivery after its first files were copied. */
const changes: readonly (readonly [string, (folder: string) => Promise<unknown>])[] = [
  ['grows', (folder) => appendFile(join(folder, 'a'), 'more')],
  ['is truncated to no bytes', (folder) => truncate(join(folder, 'a'), 0)],
  [
    'gets a file replaced',
    (folder) => writeFile(join(folder, 'n'), 'new').then(() => rename(join(folder, 'n'), join(folder, 'a'))),
  ],
  ['is edited and its time put back', (folder) => editUnseen(join(folder, 'a'))],
  ['gets a file more', (folder) => writeFile(join(folder, 'z'), 'z')],
  ['loses a file', (folder) => rm(join(folder, 'b/c'))],
  ['gets a folder renamed', (folder) => rename(join(folder, 'b'), join(folder, 'd'))],
  [withPipe, (folder) => rm(join(folder, 'a')).then(() => run('mkfifo', [join(folder, 'a')]))],
  ['is touched', (folder) => utimes(join(folder, 'a'), 1, 1)],
];

describe('a delivery', () => {
  let databases: RedisDatabases;
  let runs: Map<string, Promise<void>>;

  beforeAll(async () => {
    await buildServices();
    databases = await RedisDatabases.start();
    runs = inTurns(
      changes.map(([name]) => name),
      4,
      changedDuringCopy,
    );
  });

  afterAll(async () => {
    await Promise.allSettled(runs.values());
    await databases.stop();
  });

  it.each(changes)('should be imported in its final state when the delivery %s during its copy', async (name) => {
    await expect(runs.get(name)).resolves.toBeUndefined();
  });

  it('should be rejected naming every entry that is no regular file or differs from its declaration', async () => {
    const system = await TestSystem.create(databases.next());
    for (const [at, [, put]] of unfit.entries()) {
      await system.deliver('SUB-1', { [`DS-${String(at)}/a`]: '1' });
      await put(join(system.source, 'SUB-1', `DS-${String(at)}`));
    }
    const wrong = { ...aDataPackage('wrong', { one: '1', two: '2', three: '3' }), one: 'x', two: 'y' };
    await system.deliver(
      'SUB-2',
      Object.fromEntries(Object.entries(wrong).map(([path, text]) => [`DS-W/${path}`, text])),
    );
    await system.deliver('SUB-3', { 'DS-L/a': 'linked' });
    await link(join(system.source, 'SUB-3/DS-L/a'), join(system.source, 'SUB-3/DS-L/b'));
    const world = await World.of(system);
    await system.startServer();
    await system.startWorker();
    for (const [at, [, , code]] of unfit.entries()) {
      const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: `DS-${String(at)}` })).body;
      expect(await system.ended(id)).toMatchObject({ state: 'rejected', error: { code, file: 'x' } });
    }
    const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-W' })).body;
    expect(await system.ended(id)).toMatchObject({ state: 'rejected', error: { code: 'checksum.mismatch' } });
    const failed = (await system.get(`/imports/${id}/files?state=failed`)).body.items.map(({ path }) => path);
    expect(failed.sort()).toEqual(['one', 'two']);
    const report = await readFile(join(system.storage, `data/.quarantine/dataset/DS-W/${id}/report.json`), 'utf8');
    expect(JSON.parse(report)).toMatchObject({ problems: [{ path: 'one' }, { path: 'two' }] });
    expect((await system.post('/datasets/srcsys/import', { dataset_id: 'DS-W' })).status).toBe(409);
    const linked = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-L' })).body;
    expect(await system.ended(linked.id)).toMatchObject({ state: 'finished' });
    await world.check();
    await system.stop();
  });

  it('should be rejected when it keeps changing', async () => {
    const system = await TestSystem.create(databases.next());
    await system.deliver('SUB-1', { 'DS-1/a': 'a', 'DS-1/large': Buffer.alloc(9 << 20, 1) });
    await system.startServer();
    const worker = await ServiceProcess.startWorker({ ...system.environment, COPY_RATE_LIMIT: '9M' });
    const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
    let files = 0;
    const writing = setInterval(() => {
      files += 1;
      void writeFile(join(system.source, `SUB-1/DS-1/more-${String(files)}`), 'more');
    }, 200);
    try {
      expect(await system.ended(id, 40_000)).toMatchObject({ state: 'rejected', error: { code: 'source.changed' } });
    } finally {
      clearInterval(writing);
      await worker.end('SIGTERM');
      await system.stop();
    }
  });

  async function changedDuringCopy(name: string): Promise<void> {
    const system = await TestSystem.create(databases.next());
    try {
      await system.deliver('SUB-1', { 'DS-1/a': 'as it was', 'DS-1/b/c': 'c', 'DS-1/large': Buffer.alloc(9 << 20, 1) });
      await system.startServer();
      const worker = await ServiceProcess.startWorker({ ...system.environment, FAILPOINT: 'after_journal:1:SIGSTOP' });
      const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
      await hasHalted(worker);
      await changes.find(([each]) => each === name)?.[1](join(system.source, 'SUB-1/DS-1'));
      const world = await World.of(system);
      worker.send('SIGCONT');
      const end = name === withPipe ? { state: 'rejected', error: { code: 'file.special' } } : { state: 'finished' };
      expect(await system.ended(id)).toMatchObject({ ...end, attempt: 1 });
      await worker.end('SIGTERM');
      await world.check();
    } finally {
      await system.stop();
    }
  }
});

describe('the umask of a worker', () => {
  it.each(['000', '077'])('should not change the mode of published files when the umask is %s', async (mask) => {
    const system = await TestSystem.create();
    await system.deliver('SUB-1', { 'DS-1/a/b': '1' });
    await mkdir(join(system.source, 'SUB-1/DS-1/empty'));
    const world = await World.of(system);
    await system.startServer();
    const worker = await ServiceProcess.startWorker(system.environment, ['sh', '-c', `umask ${mask}; exec "$@"`, 'sh']);
    const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
    expect(await system.ended(id)).toMatchObject({ state: 'finished' });
    await worker.end('SIGTERM');
    await world.check();
    await system.stop();
  });
});

async function editUnseen(file: string): Promise<void> {
  const { atime, mtime } = await stat(file);
  await writeFile(file, 'AS IT WAS');
  await utimes(file, atime, mtime);
}
