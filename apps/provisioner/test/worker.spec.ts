import { jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasRedis, TestRedis } from './support/redis.js';
import { TestSystem, until } from './support/system.js';
import { buildProcesses, ServiceProcess } from './support/service-process.js';

const run = promisify(execFile);

/** Takes long enough to be killed in the middle of. */
const largeBytes = 384 * 1024 * 1024;
const smallFiles = 40;

/** A killed worker's import goes on within this time. */
const takeOverMs = 30_000;

jest.setTimeout(120_000);

beforeAll(async () => {
  await buildProcesses();
});

describe.each(['Postgres', 'Redis'])('a worker process with its queue on %s', (backend) => {
  // Without redis-server these are reported as skipped, which counts as failed where everything must run.
  const test = backend === 'Redis' && !hasRedis ? it.skip : it;
  const isAbsent = backend === 'Redis' && !hasRedis;
  let redis: TestRedis | null = null;
  let system: TestSystem;
  const processes: ServiceProcess[] = [];

  beforeAll(async () => {
    if (isAbsent) return;
    redis = backend === 'Redis' ? await TestRedis.start() : null;
    system = await TestSystem.create(redis ? { QUEUE_URL: redis.url } : {});
    await system.startServer();
  });

  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.end('SIGKILL')));
  });

  afterAll(async () => {
    if (isAbsent) return;
    await system.stop();
    await redis?.stop();
  });

  async function startProcess(): Promise<ServiceProcess> {
    const process = await ServiceProcess.startWorker(system.environment);
    processes.push(process);
    return process;
  }

  /** Lays a dataset, has it imported, and resolves when the small files are done and the large one is not. */
  async function amidImport(id: string): Promise<{ importId: string; inodes: Map<string, number> }> {
    const small = Array.from({ length: smallFiles }, (_, at) => [`${id}/a/${String(at)}`, randomBytes(2000)] as const);
    await system.deliver(`SUB-${id}`, Object.fromEntries(small));
    await run('truncate', ['-s', String(largeBytes), join(system.source, `SUB-${id}`, id, 'large')]);
    const asked = await system.post('/datasets/srcsys/import', { dataset_id: id });
    expect(asked.status).toBe(202);
    const staging = join(system.storage, 'data/.staging/dataset', id);
    await until(() => isAmid(staging));
    return { importId: asked.body.id, inodes: await inodesOf(join(staging, (await readdir(staging))[0] ?? '')) };
  }

  async function expectPublished(id: string): Promise<void> {
    const place = join(system.storage, 'data/raw', id);
    await run('sha256sum', ['-c', '--strict', '--quiet', '.import/manifest-sha256.txt'], { cwd: place });
    await run('diff', ['-r', '-x', '.import', join(system.source, `SUB-${id}`, id), place]);
    expect(await readdir(join(system.storage, 'data/.staging/dataset'))).toEqual([]);
    expect(await readdir(join(system.storage, 'data/.requests/open/dataset'))).toEqual([]);
  }

  test('should be replaceable by another after kill -9, which copies no finished file again', async () => {
    const first = await startProcess();
    const { importId, inodes } = await amidImport('K1');
    await first.end('SIGKILL');
    const killedAt = Date.now();
    expect(await readdir(join(system.storage, 'data/raw'))).not.toContain('K1');
    await startProcess();
    await until(async () => (await system.get(`/imports/${importId}`)).body.progress.bytes_resumed > 0, takeOverMs);
    expect(Date.now() - killedAt).toBeLessThan(takeOverMs);
    expect(await system.ended(importId)).toMatchObject({ state: 'finished', attempt: 1 });
    expect(inodes.size).toBe(smallFiles);
    for (const [path, inode] of inodes) {
      expect((await stat(join(system.storage, 'data/raw/K1', path))).ino).toBe(inode);
    }
    expect((await system.get(`/imports/${importId}`)).body.progress.bytes_resumed).toBe(smallFiles * 2000);
    await expectPublished('K1');
  });

  test('should give its import back at once when it is stopped', async () => {
    const first = await startProcess();
    await startProcess();
    const { importId } = await amidImport('K2');
    const began = Date.now();
    expect(await first.end('SIGTERM')).toBe(0);
    expect(Date.now() - began).toBeLessThan(5_000);
    expect(await system.ended(importId)).toMatchObject({ state: 'finished', attempt: 1 });
    expect(Date.now() - began).toBeLessThan(15_000);
    await expectPublished('K2');
  });

  test('should stop within a second when an import is cancelled, and leave nothing', async () => {
    await startProcess();
    const { importId } = await amidImport('K3');
    expect(await system.post(`/imports/${importId}/cancel`)).toMatchObject({
      status: 202,
      body: { state: 'cancelling' },
    });
    await until(async () => (await system.get(`/imports/${importId}`)).body.state === 'cancelled', 1_500);
    expect(await readdir(join(system.storage, 'data/.staging/dataset'))).toEqual([]);
    expect((await system.post(`/imports/${importId}/cancel`)).body.more.code).toBe('import.state');
    const retried = await system.post(`/imports/${importId}/retry`);
    expect(retried).toMatchObject({ status: 202, body: { id: importId, attempt: 2 } });
    expect(await system.ended(importId)).toMatchObject({ state: 'finished', attempt: 2 });
  });
});

describe('a Redis that is lost', () => {
  (hasRedis ? it : it.skip)('should cost a 503, and no import that was accepted', async () => {
    const redis = await TestRedis.start();
    const system = await TestSystem.create({ QUEUE_URL: redis.url });
    await system.startServer();
    await system.deliver('SUB-1', { 'L1/a': '1', 'L2/a': '1' });
    const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'L1' })).body;
    await redis.kill();
    expect((await system.post('/datasets/srcsys/import', { dataset_id: 'L2' })).status).toBe(503);
    expect((await system.get('/datasets/srcsys/L2')).body.state).toBe('not_imported');
    await redis.restart(true);
    const worker = await ServiceProcess.startWorker(system.environment);
    expect(await system.ended(id)).toMatchObject({ state: 'finished' });
    await worker.end('SIGTERM');
    await system.stop();
    await redis.stop();
  });
});

/** Whether the small files are noted as finished and the large one is begun. */
async function isAmid(staging: string): Promise<boolean> {
  const [token] = await readdir(staging).catch(() => []);
  if (token === undefined) return false;
  const wanted = ['finished.ndjson', 'payload/large'].map((name) => stat(join(staging, token, name)));
  return (await Promise.allSettled(wanted)).every(({ status }) => status === 'fulfilled');
}

/** The inodes of the small files of an attempt. */
async function inodesOf(attempt: string): Promise<Map<string, number>> {
  const folder = join(attempt, 'payload/a');
  const names = await readdir(folder);
  const entries = names.map(async (name) => [`a/${name}`, (await stat(join(folder, name))).ino] as const);
  return new Map(await Promise.all(entries));
}
