import { randomBytes } from 'node:crypto';
import type { Bucket } from '../src/s3/bucket.js';
import type { ObjectVersion } from '../src/s3/object-copy.js';
import { openBucket } from '../src/s3/s3-location.js';
import { S3Copies } from '../src/storage/s3/s3-copies.js';
import { FaultProxy, type Call } from './faults/support/fault-proxy.js';
import { everythingIn, makeBucket, testAccess } from './support/s3.js';
import { until } from '../../../test/support/until.ts';

const isTrial = ({ isCopy, path }: Call): boolean => isCopy && path.includes('/trials/');

describe(S3Copies.name, () => {
  const bytes = randomBytes((64 << 20) + 1);
  let from: Bucket;
  let to: Bucket;
  let proxy: FaultProxy;

  beforeEach(async () => {
    const [source, target] = await Promise.all([makeBucket(), makeBucket()]);
    from = source.bucket;
    proxy = await FaultProxy.before(testAccess.endpoint ?? '');
    to = openBucket(target.url, { ...testAccess, endpoint: proxy.url });
  });

  afterEach(() => {
    proxy.stop();
  });

  async function putSource(size: number): Promise<ObjectVersion> {
    const etag = await from.put('a', bytes.subarray(0, size));
    return { bucket: from.name, key: from.prefix + 'a', size, etag };
  }

  /** Returns the copy calls: whether each was a trial, and whether it copied a part. */
  function copies(): string[] {
    const calls = proxy.calls.filter(({ isCopy }) => isCopy);
    return calls.map(
      (call) => `${isTrial(call) ? 'trial' : 'copy'}${call.query.includes('partNumber') ? ' part' : ''}`,
    );
  }

  async function isSame(size: number): Promise<boolean | undefined> {
    return (await to.get('a'))?.equals(bytes.subarray(0, size));
  }

  const remainingTrials = async (): Promise<number> =>
    (await everythingIn(to)).keys.filter((key) => key.startsWith('trials/')).length;

  it('should copy a small object in one call without a trial', async () => {
    const seen = await putSource(64 << 20);
    await new S3Copies(to, 'trials/').copy(seen, 'a', {});
    expect([copies(), await isSame(seen.size)]).toEqual([['copy'], true]);
  });

  it('should copy larger objects in one call after one trial when the store is quick', async () => {
    const seen = await putSource(bytes.length);
    const quick = new S3Copies(to, 'trials/', 60_000);
    await quick.copy(seen, 'a', {});
    await quick.copy(seen, 'b', {});
    expect([copies(), await isSame(seen.size)]).toEqual([['trial', 'copy', 'copy'], true]);
    await until(async () => (await remainingTrials()) === 0);
  });

  it('should copy in parts and remove the trial when the store is slow', async () => {
    const seen = await putSource(bytes.length);
    proxy.spoil(1, isTrial, { kind: 'late answer', held: () => until(() => copies().includes('copy part')) });
    await new S3Copies(to, 'trials/').copy(seen, 'a', {});
    expect([copies(), await isSame(seen.size)]).toEqual([['trial', 'copy part', 'copy part'], true]);
    await until(async () => (await remainingTrials()) === 0);
  });

  it('should copy in parts when the store refuses the trial', async () => {
    const seen = await putSource(bytes.length);
    proxy.spoil(1, isTrial, { kind: 'answer', status: 403, code: 'AccessDenied' });
    await new S3Copies(to, 'trials/').copy(seen, 'a', {});
    expect([copies(), await isSame(seen.size)]).toEqual([['trial', 'copy part', 'copy part'], true]);
  });

  it('should end before its current part when it is aborted', async () => {
    const seen = await putSource(bytes.length);
    const abort = new AbortController();
    let answer = (): void => undefined;
    const copied = new Promise<void>((resolve) => (answer = resolve));
    proxy.spoil(3, ({ isCopy }) => isCopy, { kind: 'late answer', held: () => copied });
    const copying = new S3Copies(to, 'trials/').copy(seen, 'a', { signal: abort.signal });
    copying.catch(() => undefined);
    await until(() => copies().includes('copy part'));
    abort.abort();
    await expect(copying).rejects.toMatchObject({ name: 'AbortError' });
    answer();
    await until(async () => (await remainingTrials()) === 0);
    expect(await everythingIn(to)).toEqual({ keys: [], uploads: 0 });
  });
});
