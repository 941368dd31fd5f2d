import { jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ImportQueue, openImportWorker } from '../src/queue/import-queue.js';
import { onEachQueue } from './support/queues.js';
import { hasRedis, TestRedis } from './support/redis.js';
import { TestSystem } from './support/system.js';
import { until } from '../../../test/support/until.ts';
import { buildServices, ServiceProcess } from '../../../test/support/service-process.ts';

const run = promisify(execFile);

const largeBytes = 192 * 1024 * 1024;

/** A rate limit with which the copy of the large file takes most of a minute. */
const slowly = { COPY_RATE_LIMIT: '4M' };

const smallFiles = 10;

/** The time within which another worker resumes the import of a killed worker, including the time for its start. */
const takeOverMs = 30_000;
const startMs = 10_000;

jest.setTimeout(120_000);

beforeAll(async () => {
  await buildServices();
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

  /** Submits a dataset, and waits until the small files are copied and the large file is being copied. */
  async function startImport(id: string): Promise<{ importId: string; inodes: Map<string, number> }> {
    const small = Array.from({ length: smallFiles }, (_, at) => [`${id}/a/${String(at)}`, randomBytes(2000)] as const);
    await system.deliver(`SUB-${id}`, Object.fromEntries(small));
    await run('truncate', ['-s', String(largeBytes), join(system.source, `SUB-${id}`, id, 'large')]);
    const submitted = await system.post('/datasets/srcsys/import', { dataset_id: id });
    expect(submitted.status).toBe(202);
    const staging = join(system.storage, 'data/.staging/dataset', id);
    await until(() => isLargeFileStarted(staging));
    return { importId: submitted.body.id, inodes: await inodesOf(join(staging, (await readdir(staging))[0] ?? '')) };
  }

  async function expectPublished(id: string): Promise<void> {
    const published = join(system.storage, 'data/raw', id);
    await run('sha256sum', ['-c', '--strict', '--quiet', '.import/manifest-sha256.txt'], { cwd: published });
    await run('diff', ['-r', '-x', '.import', join(system.source, `SUB-${id}`, id), published]);
    expect(await readdir(join(system.storage, 'data/.staging/dataset'))).toEqual([]);
    expect(await readdir(join(system.storage, 'data/.requests/open/dataset'))).toEqual([]);
  }

  it('should resume the import of a worker when that worker was killed, and copy no finished file again', async () => {
    const first = await startProcess(slowly);
    const { importId, inodes } = await startImport('K1');
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

  // The time itself is not measured, because a busy machine needs more time with any settings.
  it('should lose its lock early enough for another worker when it was killed', async () => {
    const options = { concurrency: 1, autorun: false };
    const worker = openImportWorker(system.environment['QUEUE_URL'] ?? '', () => Promise.resolve(), options);
    const { lockDuration = 0, stalledInterval = 0 } = worker.opts;
    worker.on('error', () => undefined);
    await worker.waitUntilReady();
    await worker.close();
    expect(lockDuration + 2 * stalledInterval).toBeLessThanOrEqual(takeOverMs - startMs);
  });

  it('should requeue its import when it is stopped', async () => {
    const first = await startProcess(slowly);
    const { importId } = await startImport('K2');
    expect(await first.end('SIGTERM')).toBe(0);
    expect((await system.get(`/imports/${importId}`)).body.state).toBe('running');
    const queue = new ImportQueue(system.environment['QUEUE_URL'] ?? '', () => undefined);
    expect(await queue.queue.getJobCounts('wait', 'active')).toEqual({ wait: 1, active: 0 });
    await queue.close();
    await startProcess();
    expect(await system.ended(importId)).toMatchObject({ state: 'finished', attempt: 1 });
    await expectPublished('K2');
  });

  it('should stop within three heartbeats and remove staged files when an import is cancelled', async () => {
    const first = await startProcess(slowly);
    const { importId } = await startImport('K3');
    expect(await system.post(`/imports/${importId}/cancel`)).toMatchObject({
      status: 202,
      body: { state: 'cancelling' },
    });
    // The worker sends a heartbeat every second, or later on a busy machine, and checks for cancellation more often.
    const heartbeats = new Set<number>();
    await until(async () => {
      const { state, progress } = (await system.get(`/imports/${importId}`)).body;
      if (state === 'cancelling') heartbeats.add(progress.bytes_done);
      return state === 'cancelled';
    });
    expect(heartbeats.size).toBeLessThanOrEqual(3);
    expect(await readdir(join(system.storage, 'data/.staging/dataset'))).toEqual([]);
    expect((await system.post(`/imports/${importId}/cancel`)).body.more.code).toBe('import.state');
    await first.end('SIGTERM');
    await startProcess();
    const retried = await system.post(`/imports/${importId}/retry`);
    expect(retried).toMatchObject({ status: 202, body: { id: importId, attempt: 2 } });
    expect(await system.ended(importId)).toMatchObject({ state: 'finished', attempt: 2 });
  });
});

describe('an import during an outage of Redis', () => {
  (hasRedis ? it : it.skip)('should respond 503 to new imports and finish accepted imports', async () => {
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

/** Returns whether the small files are recorded and the copy of the large file has started. */
async function isLargeFileStarted(staging: string): Promise<boolean> {
  const [token] = await readdir(staging).catch(() => []);
  if (token === undefined) return false;
  const files = ['finished.ndjson', 'payload/large'].map((name) => stat(join(staging, token, name)));
  return (await Promise.allSettled(files)).every(({ status }) => status === 'fulfilled');
}

/** Returns the inodes of the small files in a staging folder. */
async function inodesOf(staging: string): Promise<Map<string, number>> {
  const folder = join(staging, 'payload/a');
  const names = await readdir(folder);
  const entries = names.map(async (name) => [`a/${name}`, (await stat(join(folder, name))).ino] as const);
  return new Map(await Promise.all(entries));
}
