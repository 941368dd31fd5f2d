import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import type { Bucket } from '../src/s3/bucket.js';
import { copyObject, isRefusedCopy, type ObjectVersion } from '../src/s3/object-copy.js';
import { openBucket } from '../src/s3/s3-location.js';
import { everythingIn, makeBucket, strangerAccess, testAccess } from './support/s3.js';

/** The minimum size of a part that is not the last. */
const partBytes = 5 << 20;

describe(copyObject.name, () => {
  let from: Bucket;
  let to: Bucket;
  let url: string;

  beforeEach(async () => {
    [{ bucket: from }, { bucket: to, url }] = await Promise.all([makeBucket(), makeBucket()]);
  });

  async function lay(key: string, bytes: Buffer): Promise<ObjectVersion> {
    const etag = await from.put(key, bytes);
    return { bucket: from.name, key: from.prefix + key, size: bytes.length, etag };
  }

  /** Runs a call before each part is copied. */
  function beforeParts(run: (part: number) => unknown): void {
    let part = 0;
    to.client.middlewareStack.add(
      (next, { commandName }) =>
        async (call) => {
          if (commandName === 'UploadPartCopyCommand') await run((part += 1));
          return next(call);
        },
      { step: 'initialize' },
    );
  }

  it.each(['a/b', 'new\nline', '-dash é"\\', 'plus+and space%20&?#=', '%2F', '日本/ü', "it's (a) *!", '+'])(
    'should copy the object to the key %j',
    async (key) => {
      await copyObject(to, await lay(key, Buffer.from(key)), key);
      expect((await to.get(key))?.toString()).toBe(key);
    },
  );

  it('should copy an empty object', async () => {
    await copyObject(to, await lay('empty', Buffer.alloc(0)), 'empty');
    expect(await to.head('empty')).toMatchObject({ size: 0 });
  });

  it('should copy no metadata and tags when the copy is bare', async () => {
    const foreign = { ContentType: 'text/html', CacheControl: 'no-store', Metadata: { a: 'b' }, Tagging: 'a=b' };
    await from.client.send(new PutObjectCommand({ ...from.at('a'), Body: 'a', ...foreign }));
    const seen = { bucket: from.name, key: from.prefix + 'a', size: 1, etag: (await from.head('a'))?.etag ?? '' };
    await copyObject(to, seen, 'a', { isBare: true });
    const copy = await to.client.send(new HeadObjectCommand(to.at('a')));
    expect([copy.ContentType, copy.CacheControl, copy.Metadata, copy.TagCount]).toEqual([
      ...['application/octet-stream', undefined, {}, undefined],
    ]);
  });

  it.each([
    ['was replaced', () => from.put('a', Buffer.from('b'))],
    ['was removed', () => from.remove('a')],
  ])('should refuse the copy when the object %s after its listing', async (_, change) => {
    const seen = await lay('a', Buffer.from('a'));
    await change();
    const refusal: unknown = await copyObject(to, seen, 'a').catch((error: unknown) => error);
    expect(isRefusedCopy(refusal)).toBe(true);
    expect((await everythingIn(to)).keys).toEqual([]);
  });

  it('should refuse the copy when the caller may not read the object', async () => {
    const { bucket } = await makeBucket(strangerAccess);
    const seen = await lay('a', randomBytes(partBytes + 1));
    for (const callBytes of [partBytes, 2 * partBytes]) {
      const refusal: unknown = await copyObject(bucket, seen, 'a', { callBytes }).catch((error: unknown) => error);
      expect(isRefusedCopy(refusal)).toBe(true);
    }
    expect(await everythingIn(bucket)).toEqual({ keys: [], uploads: 0 });
  });

  describe('in parts', () => {
    let bytes: Buffer;
    let seen: ObjectVersion;

    beforeEach(async () => {
      bytes = randomBytes(2 * partBytes + 1);
      seen = await lay('a', bytes);
    });

    it('should copy all bytes', async () => {
      await copyObject(to, seen, 'a', { callBytes: partBytes });
      expect((await to.get('a'))?.equals(bytes)).toBe(true);
      expect((await to.head('a'))?.etag).toMatch(/-3"$/);
    });

    it('should leave no object when the source is replaced during the copy', async () => {
      beforeParts((part) => part === 2 && from.put('a', randomBytes(bytes.length)));
      const copied: unknown = await copyObject(to, seen, 'a', { callBytes: partBytes }).catch(
        (error: unknown) => error,
      );
      expect(isRefusedCopy(copied)).toBe(true);
      expect(await everythingIn(to)).toEqual({ keys: [], uploads: 0 });
    });

    it('should leave no object when another owner takes over during the copy', async () => {
      let isOwned = true;
      beforeParts(() => (isOwned = false));
      const checkOwned = (): Promise<void> => (isOwned ? Promise.resolve() : Promise.reject(new Error('superseded')));
      const copied = copyObject(to, seen, 'a', { callBytes: partBytes, checkOwned });
      await expect(copied).rejects.toThrow('superseded');
      expect(await everythingIn(to)).toEqual({ keys: [], uploads: 0 });
    });

    it('should end at once when it is aborted', async () => {
      const abort = new AbortController();
      beforeParts((part) => {
        if (part === 2) abort.abort();
      });
      const copied = copyObject(to, seen, 'a', { callBytes: partBytes, signal: abort.signal });
      await expect(copied).rejects.toMatchObject({ name: 'AbortError' });
      expect(await everythingIn(to)).toEqual({ keys: [], uploads: 0 });
    });
  });

  it('should treat buckets as in one store only if endpoint and region are the same', () => {
    const { endpoint = '' } = testAccess;
    const storeOf = (access: Partial<typeof testAccess>): string => openBucket(url, { ...testAccess, ...access }).store;
    expect(storeOf({ endpoint: `${endpoint}/` })).toBe(to.store);
    expect(storeOf({ endpoint: undefined })).not.toBe(to.store);
    expect(storeOf({ endpoint: endpoint.replace('127.0.0.1', 'localhost') })).not.toBe(to.store);
    expect(storeOf({ region: 'eu-west-1' })).not.toBe(to.store);
  });
});
