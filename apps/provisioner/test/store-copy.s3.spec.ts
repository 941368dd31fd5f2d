import { Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { until } from '../../../test/support/until.ts';
import type { Copier } from '../src/copy/copier.js';
import { counterIndex, type CopyOutcome } from '../src/copy/copy-messages.js';
import { RateLimit } from '../src/copy/process-rate-limit.js';
import { type RateChange } from '../src/settings/rate-timetable.js';
import { StoreCopies } from '../src/copy/store-copies.js';
import { StreamPool } from '../src/copy/stream-pool.js';
import { ProgressMeter } from '../src/import-runs/progress-meter.js';
import { sha256Of, type Bucket } from '../src/s3/bucket.js';
import { beginUpload, openUploads } from '../src/s3/multipart.js';
import { openBucket } from '../src/s3/s3-location.js';
import { S3Source } from '../src/source/s3/s3-source.js';
import type { SourceEntry } from '../src/model/source-system.js';
import { S3Storage } from '../src/storage/s3/s3-storage.js';
import { SupersededError } from '../src/model/storage-failure.js';
import type { Attempt } from '../src/model/attempt.js';
import type { StreamTarget } from '../src/model/workspace.js';
import { FaultProxy, type Call } from './faults/support/fault-proxy.js';
import { everythingIn, makeBucket, strangerAccess, testAccess } from './support/s3.js';

const mebibyte = 1 << 20;
const place = { kind: 'dataset', id: 'DS-1', submission: 'SUB-1' } as const;
const isCopy = ({ isCopy: is }: Call): boolean => is;
const isSent = ({ method, path, isCopy: is }: Call): boolean => method === 'PUT' && path.includes('/raw/') && !is;
const isReadIn =
  (bucket: Bucket) =>
  (call: Call): boolean =>
    call.method === 'GET' && call.path.includes(bucket.name) && /large|odd/.test(call.path);

describe('an import between two buckets of one store', () => {
  let proxy: FaultProxy;
  /** The source bucket, without the proxy. */
  let delivered: Bucket;
  let stored: Bucket;
  let attempt: Attempt;
  let meter: ProgressMeter;
  let copies: StoreCopies;
  let streams: StreamPool;

  beforeAll(() => {
    Logger.overrideLogger(false);
  });

  beforeEach(async () => {
    proxy = await FaultProxy.before(testAccess.endpoint ?? '');
    meter = new ProgressMeter();
  });

  afterEach(() => {
    proxy.stop();
  });

  /** Delivers files and returns the copier of their import. @param access of the storage */
  async function copierOf(
    files: Readonly<Record<string, Buffer>>,
    { access = testAccess, endpoint = proxy.url, rate = [] as readonly RateChange[] } = {},
  ): Promise<{ readonly copier: Copier; readonly entries: SourceEntry[] }> {
    const [source, storage] = await Promise.all([makeBucket(), makeBucket(access)]);
    delivered = source.bucket;
    stored = storage.bucket;
    for (const [path, bytes] of Object.entries(files)) await delivered.put(`SUB-1/DS-1/${path}`, bytes);
    const seen = new S3Source(openBucket(source.url, { ...testAccess, endpoint: proxy.url }), '.ready');
    attempt = await new S3Storage(openBucket(storage.url, { ...access, endpoint })).openAttempt(place, 'T1', 'f');
    streams = new StreamPool(2, new RateLimit(rate));
    copies = new StoreCopies(streams);
    const entries: SourceEntry[] = [];
    for await (const items of seen.walk(place)) entries.push(...items.flatMap(({ entry }) => entry ?? []));
    const copier = copies.between(seen, place, attempt, streams.between(seen, place, attempt.target as StreamTarget));
    return { copier, entries: entries.filter(({ type }) => type === 'file') };
  }

  const copyAll = (copier: Copier, entries: readonly SourceEntry[]): Promise<readonly CopyOutcome[]> =>
    copier.copy(
      entries.map((entry) => ({ ...entry, algorithms: ['md5'], flush: false })),
      meter.counters,
    );

  const count = (matches: (call: Call) => boolean): number => proxy.calls.filter(matches).length;

  const large = randomBytes(9 * mebibyte + 1);

  it('should let the store copy large files and read each copy once', async () => {
    const files = {
      large,
      'odd é +%"\n': large.subarray(0, 4 * mebibyte),
      empty: Buffer.alloc(0),
      small: large.subarray(1, 9),
    };
    const { copier, entries } = await copierOf(files);
    const outcomes = await copyAll(copier, entries);
    for (const [index, { path }] of entries.entries()) {
      const bytes = files[path as keyof typeof files];
      expect(outcomes[index]?.digests?.['sha256']).toBe(sha256Of(bytes));
      expect((await stored.get(`data/raw/DS-1/${path}`))?.equals(bytes)).toBe(true);
    }
    expect(Object.keys(outcomes[0]?.digests ?? {})).toEqual(['sha256', 'md5']);
    expect([count(isCopy), count(isSent), count(isReadIn(delivered)), count(isReadIn(stored))]).toEqual([2, 2, 0, 2]);
    expect(Number(meter.counters[counterIndex.bytes])).toBe(13 * mebibyte + 9);
  });

  it('should refuse to publish when a copy of the store was replaced', async () => {
    const { copier, entries } = await copierOf({ large });
    const [outcome] = await copyAll(copier, entries);
    await attempt.recordBatch({ key: 'K', files: entries }, [{ sha256: outcome?.digests?.['sha256'] ?? '' }]);
    await stored.put('data/raw/DS-1/large', Buffer.from('another'));
    const draft = { ...place, content: { files: 1, folders: 0, bytes: 1 } } as unknown as Parameters<
      Attempt['publish']
    >[0];
    await expect(attempt.publish(draft)).rejects.toThrow('differ from the written ones');
  });

  it('should stream all files after one refusal when the storage’s keys may not read the source', async () => {
    const { copier, entries } = await copierOf({ 'large 1': large, 'large 2': large }, { access: strangerAccess });
    for (const entry of entries)
      expect(await copyAll(copier, [entry])).toMatchObject([{ digests: { sha256: sha256Of(large) } }]);
    expect([copies.isRefused, count(isCopy), count(isReadIn(delivered))]).toEqual([true, 1, 2]);
    expect((await stored.get('data/raw/DS-1/large 2'))?.equals(large)).toBe(true);
  });

  it('should stream files when source and storage have different endpoints', async () => {
    const { copier, entries } = await copierOf({ large }, { endpoint: testAccess.endpoint });
    expect(await copyAll(copier, entries)).toMatchObject([{ digests: { sha256: sha256Of(large) } }]);
    expect([count(isCopy), count(isReadIn(delivered))]).toEqual([0, 1]);
  });

  it.each([
    [400, 'InvalidRequest'],
    [403, 'AccessDenied'],
    [404, 'NoSuchBucket'],
    [404, 'NoSuchKey'],
    [405, 'MethodNotAllowed'],
    [412, 'PreconditionFailed'],
    [501, 'NotImplemented'],
  ])('should stream a file when the store answers %i %s to a copy', async (status, code) => {
    const { copier, entries } = await copierOf({ large });
    proxy.spoil(1, isCopy, { kind: 'answer', status, code });
    expect(await copyAll(copier, entries)).toMatchObject([{ digests: { sha256: sha256Of(large) } }]);
    expect([copies.isRefused, count(isCopy)]).toEqual([true, 1]);
  });

  it('should request further copies when one was refused because the source had changed', async () => {
    const { copier, entries } = await copierOf({ 'large 1': large, 'large 2': large });
    await delivered.put('SUB-1/DS-1/large 1', Buffer.alloc(large.length));
    expect(await copyAll(copier, entries)).toMatchObject([{ failure: { side: 'changed' } }, { digests: {} }]);
    expect([copies.isRefused, count(isCopy)]).toEqual([false, 2]);
  });

  it('should retry a copy when the store fails, and report the storage when it keeps failing', async () => {
    const { copier, entries } = await copierOf({ large });
    proxy.spoil(3, isCopy, { kind: 'answer', status: 500, code: 'InternalError' });
    expect(await copyAll(copier, entries)).toMatchObject([{ digests: {} }]);
    proxy.spoil(100, isCopy, { kind: 'answer', status: 503, code: 'SlowDown' });
    expect(await copyAll(copier, entries)).toMatchObject([{ failure: { side: 'storage', errno: 'EIO' } }]);
    expect([copies.isRefused, count(isReadIn(delivered))]).toEqual([false, 0]);
  });

  it('should stop during a large file when the import is cancelled', async () => {
    const { copier, entries } = await copierOf({ large }, { rate: [{ minute: 0, bytesPerSecond: 100_000 }] });
    const copying = copyAll(copier, entries);
    await until(() => count(isReadIn(stored)) > 0);
    meter.abort();
    expect(await copying).toMatchObject([{ failure: { side: 'aborted' } }]);
    expect(await copyAll(copier, entries)).toMatchObject([{ failure: { side: 'aborted' } }]);
    expect(count(isCopy)).toBe(1);
  });

  it('should abort the upload of an earlier attempt when its file is copied', async () => {
    const { copier, entries } = await copierOf({ large });
    await beginUpload(stored, 'data/raw/DS-1/large');
    const next = await new S3Storage(openBucket(`s3://${stored.name}/${stored.prefix}`, testAccess)).openAttempt(
      place,
      'T2',
      'f',
    );
    await expect(copyAll(copier, entries)).rejects.toThrow(SupersededError);
    expect([
      (await openUploads(stored, '')).length,
      (await everythingIn(stored)).keys.includes('data/raw/DS-1/large'),
    ]).toEqual([1, false]);
    const from = { store: delivered.store, bucket: delivered.name, prefix: `${delivered.prefix}SUB-1/DS-1/` };
    for (const entry of entries) {
      expect(await next.store.copyFrom(from, { ...entry, version: '"0"' }, new AbortController().signal)).toContain(
        '412',
      );
      expect(await openUploads(stored, '')).toHaveLength(1);
      expect(await next.store.copyFrom(from, entry, new AbortController().signal)).toBeNull();
    }
    expect(await openUploads(stored, '')).toEqual([]);
  });
});
