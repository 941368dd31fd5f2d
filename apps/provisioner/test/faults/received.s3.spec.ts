import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, readlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { counterIndex } from '../../src/copy/copy-messages.js';
import { ProgressMeter } from '../../src/import-runs/progress-meter.js';
import { openSource } from '../../src/source/source.module.js';
import { removeTree } from '../../src/storage/posix/remove-tree.js';
import type { Files } from '../support/delivery.js';
import { Engine, settingsOf } from '../support/engine.js';
import { makeBucket, s3Settings, testAccess } from '../support/s3.js';
import { until } from '../../../../test/support/until.ts';
import { FaultProxy, type Call, type Fault } from './support/fault-proxy.js';

const run = promisify(execFile);
const itAsRoot = process.getuid?.() === 0 ? it : it.skip;

const smallFiles = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`s/${String(index)}`, randomBytes(1 + index * 3000)]),
);
const files: Files = { ...smallFiles, large: randomBytes(34 << 20) };

const isObject = ({ method, query }: Call): boolean => method === 'GET' && query.includes('GetObject');
const isLarge = (call: Call): boolean => isObject(call) && call.path.endsWith('/large');
const answer = (status: number, code: string): Fault => ({ kind: 'answer', status, code });

describe('an import from a bucket to a folder', () => {
  let root: string;
  let proxy: FaultProxy;
  let url: string;
  let engine: Engine | null = null;

  beforeAll(async () => {
    const made = await makeBucket();
    ({ url } = made);
    for (const [path, bytes] of Object.entries(files)) await made.bucket.put(`SUB-1/DS-1/${path}`, Buffer.from(bytes));
  });

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'received-'));
    await mkdir(join(root, 'storage'));
    proxy = await FaultProxy.before(testAccess.endpoint ?? '');
  });

  afterEach(async () => {
    await engine?.close();
    await removeTree(root);
    proxy.stop();
  });

  async function engineWith(settings: Readonly<Record<string, string>> = {}): Promise<Engine> {
    const all = { ...s3Settings('SOURCE', url), SOURCE_S3_ENDPOINT: proxy.url, ...settings };
    engine = new Engine(root, all, await openSource(settingsOf(root, all)));
    return engine;
  }

  async function openFiles(): Promise<string[]> {
    const descriptors = await readdir('/proc/self/fd');
    const paths = await Promise.all(descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
    return paths.filter((path) => path.startsWith(root));
  }

  // Up to three calls get no response. All of them may concern one object, whose call is sent four times.
  it.each<[string, number, (call: Call) => boolean, Fault]>([
    ['answers that break off', 6, isObject, { kind: 'truncate answer' }],
    ['a large object that breaks off again and again', 12, isLarge, { kind: 'truncate answer' }],
    ['lost answers', 3, isObject, { kind: 'reset answer' }],
    ['resets', 3, isObject, { kind: 'reset' }],
    ['503 SlowDown', 3, isObject, answer(503, 'SlowDown')],
    ['silence', 3, isObject, { kind: 'silence', ms: 2000 }],
  ])('should publish intact files despite %s', async (_, times, concerns, fault) => {
    proxy.spoil(times, concerns, fault);
    const { folder: published } = await (await engineWith()).import('DS-1');
    expect(proxy.spoilt).toBe(times);
    for (const [path, bytes] of Object.entries(files)) {
      expect((await readFile(join(published, path))).equals(Buffer.from(bytes))).toBe(true);
    }
    await run('sha256sum', ['-c', '--strict', '--quiet', '.import/manifest-sha256.txt'], { cwd: published });
    expect(await openFiles()).toEqual([]);
  });

  it.each([
    ['source.changed', answer(412, 'PreconditionFailed')],
    ['source.changed', answer(404, 'NoSuchKey')],
    ['source.denied', answer(403, 'AccessDenied')],
    ['source.io', answer(500, 'InternalError')],
  ])('should fail with %s when the store answers %j', async (code, fault) => {
    proxy.spoil(1000, isLarge, fault);
    const problems = [{ code, path: 'large' }];
    await expect((await engineWith()).import('DS-1')).rejects.toMatchObject({ code, problems });
    expect(await openFiles()).toEqual([]);
  });

  it('should stop during a large object when it is aborted', async () => {
    const abort = new AbortController();
    const meter = new ProgressMeter();
    const slow = await engineWith({ COPY_RATE_LIMIT: '2M' });
    const stopped = slow.import('DS-1', { signal: abort.signal, meter });
    stopped.catch(() => undefined);
    await until(() => Atomics.load(meter.counters, counterIndex.bytes) > 0n);
    abort.abort(new Error('stopped'));
    meter.abort();
    await expect(stopped).rejects.toThrow('stopped');
    expect(meter.read().bytes_done).toBeLessThan(meter.bytesTotal ?? 0);
    expect(await openFiles()).toEqual([]);
  });

  itAsRoot('should fail when the storage is full and resume when it has free space', async () => {
    const storage = join(root, 'storage');
    await run('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', storage]);
    try {
      const small = await engineWith({ STORAGE_RESERVE: '0' });
      const full = { code: 'storage.no_space' };
      await expect(small.import('DS-1')).rejects.toMatchObject(full);
      expect(await openFiles()).toEqual([]);
      await run('mount', ['-o', 'remount,size=60m', storage]);
      expect(await small.import('DS-1', { token: 'T2' })).toMatchObject({ files: Object.keys(files).length });
    } finally {
      await run('umount', [storage]);
    }
  });
});
