import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Bucket } from '../../src/s3/bucket.js';
import { openBucket } from '../../src/s3/s3-location.js';
import { makeBucket, testAccess } from '../support/s3.js';
import { FaultProxy, type Call } from './support/fault-proxy.js';

const isRead = ({ method, path }: Call): boolean => method === 'GET' && path.endsWith('/object');

describe('a read of an object over connections that break', () => {
  const content = randomBytes(3 << 20);
  let bucket: Bucket;
  let proxy: FaultProxy;
  let read: Bucket;

  beforeEach(async () => {
    const made = await makeBucket();
    bucket = made.bucket;
    await bucket.put('object', content);
    proxy = await FaultProxy.before(testAccess.endpoint ?? '');
    read = openBucket(made.url, { ...testAccess, endpoint: proxy.url });
  });

  afterEach(() => {
    proxy.stop();
  });

  it('should return all bytes when each connection resumes where the previous one broke', async () => {
    proxy.spoil(6, isRead, { kind: 'truncate answer' });
    expect(content.equals(await buffer(read.read('object')))).toBe(true);
    expect(proxy.spoilt).toBe(6);
  });

  it('should fail when the object was replaced between two connections', async () => {
    proxy.spoil(1, isRead, { kind: 'truncate answer' });
    const bytes = read.read('object');
    await bytes.next();
    await bucket.put('object', randomBytes(content.length));
    await expect(buffer(bytes)).rejects.toMatchObject({ $metadata: { httpStatusCode: 412 } });
  });

  it('should fail when every connection is reset', async () => {
    proxy.spoil(100, isRead, { kind: 'reset answer' });
    await expect(buffer(read.read('object'))).rejects.toThrow();
    expect(proxy.spoilt).toBeLessThan(100);
  });
});
