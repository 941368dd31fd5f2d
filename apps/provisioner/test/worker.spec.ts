import { jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ImportQueue, openImportWorker } from '../src/queue/import-queue.js';
import { onEachQueue } from './support/queues.js';
import { hasRedis, TestRedis } from './support/redis.js';
import { TestSystem, until } from './support/system.js';
import { buildProcesses, ServiceProcess } from './support/service-process.js';

const run = promisify(execFile);

const largeBytes = 192 * 1024 * 1024;

/** A worker that keeps to it is in the midst of the large file for most of a minute. */
const slowly = { COPY_RATE_LIMIT: '4M' };

const smallFiles = 10;

/** A killed worker's import goes on within this time, of which its successor may need some to begin. */
const takeOverMs = 30_000;
const beginMs = 10_000;

jest.setTimeout(120_000);

beforeAll(async () => {
  await buildProcesses();
});

onEachQueue('a worker process with its queue', (queue) => {
  let system: TestSystem;
  const processes: ServiceProcess[] = [];

  beforeAll(async () => {
    system = await TestSystem.create(queue.settings);
    await system.startServer();
  });

  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.end('SIGKILL')));
  });

  afterAll(() => system.stop());

  async function startProcess(settings: Record<string, string> = {}): Promise<ServiceProcess> {
    const process = await ServiceProcess.startWorker({ ...system.environment, ...settings });
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
    const first = await startProcess(slowly);
    const { importId, inodes } = await amidImport('K1');
    await first.end('SIGKILL');
    expect(await readdir(join(system.storage, 'data/raw'))).not.toContain('K1');
    await startProcess();
    expect(await system.ended(importId)).toMatchObject({ state: 'finished', attempt: 1 });
    expect(inodes.size).toBe(smallFiles);
    for (const [path, inode] of inodes) {
      expect((await stat(join(system.storage, 'data/raw/K1', path))).ino).toBe(inode);
    }
    expect((await system.get(`/imports/${importId}`)).body.progress.bytes_resumed).toBe(smallFiles * 2000);
    await expectPublished('K1');
  });

  // How long it takes is measured nowhere here: a busy machine takes its time, whatever the settings are.
  test('should be known as killed soon enough for another to go on in time', async () => {
    const options = { concurrency: 1, autorun: false };
    const worker = openImportWorker(system.environment['QUEUE_URL'] ?? '', () => Promise.resolve(), options);
    const { lockDuration = 0, stalledInterval = 0 } = worker.opts;
    worker.on('error', () => undefined);
    await worker.waitUntilReady();
    await worker.close();
    expect(lockDuration + 2 * stalledInterval).toBeLessThanOrEqual(takeOverMs - beginMs);
  });

  test('should give its import back at once when it is stopped', async () => {
    const first = await startProcess(slowly);
    const { importId } = await amidImport('K2');
    expect(await first.end('SIGTERM')).toBe(0);
    expect((await system.get(`/imports/${importId}`)).body.state).toBe('running');
    const queue = new ImportQueue(system.environment['QUEUE_URL'] ?? '', () => undefined);
    expect(await queue.queue.getJobCounts('wait', 'active')).toEqual({ wait: 1, active: 0 });
    await queue.close();
    await startProcess();
    expect(await system.ended(importId)).toMatchObject({ state: 'finished', attempt: 1 });
    await expectPublished('K2');
  });

  test('should stop before its heart has beaten three times when an import is cancelled, and leave nothing', async () => {
    const first = await startProcess(slowly);
    const { importId } = await amidImport('K3');
    expect(await system.post(`/imports/${importId}/cancel`)).toMatchObject({
      status: 202,
      body: { state: 'cancelling' },
    });
    // Once a second it writes how far it is, on a busy machine later; so it looks whether it is cancelled.
    const beats = new Set<number>();
    await until(async () => {
      const { state, progress } = (await system.get(`/imports/${importId}`)).body;
      if (state === 'cancelling') beats.add(progress.bytes_done);
      return state === 'cancelled';
    });
    expect(beats.size).toBeLessThanOrEqual(3);
    expect(await readdir(join(system.storage, 'data/.staging/dataset'))).toEqual([]);
    expect((await system.post(`/imports/${importId}/cancel`)).body.more.code).toBe('import.state');
    await first.end('SIGTERM');
    await startProcess();
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
