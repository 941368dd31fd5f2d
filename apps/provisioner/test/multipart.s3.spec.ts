import { forEachConcurrently } from '../src/concurrency/for-each-concurrently.js';
import { sha256Of, type Bucket } from '../src/s3/bucket.js';
import { abortUpload, beginUpload, openUploads, partsOf, sendPart } from '../src/s3/multipart.js';
import { makeBucket } from './support/s3.js';

/** One more number than a store lists on a page. */
const numbers = Array.from({ length: 1_001 }, (_, index) => index + 1);

describe('multipart uploads', () => {
  let bucket: Bucket;

  beforeEach(async () => {
    ({ bucket } = await makeBucket());
  });

  it('should list every part of an upload when its parts exceed a page', async () => {
    const upload = await beginUpload(bucket, 'large');
    await forEachConcurrently(numbers, 16, async (number) => {
      const bytes = Buffer.from('x'.repeat(number));
      await sendPart(bucket, upload, { number, bytes, sha256: sha256Of(bytes) });
    });
    const parts = await partsOf(bucket, upload);
    expect([...parts].map(([number, { size }]) => [number, size])).toEqual(numbers.map((number) => [number, number]));
    await abortUpload(bucket, upload);
    await expect(partsOf(bucket, upload)).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } });
  });

  it('should list every open upload when the uploads exceed a page', async () => {
    const keys = numbers.map((number) => `odd é +%/${String(number)}`).sort();
    await forEachConcurrently(keys, 16, async (key) => {
      await beginUpload(bucket, key);
    });
    await beginUpload(bucket, 'other');
    const open = await openUploads(bucket, 'odd é +%/');
    expect(open.map(({ key }) => key).sort()).toEqual(keys);
    await forEachConcurrently(open, 16, (upload) => abortUpload(bucket, upload));
    expect(await openUploads(bucket, '')).toMatchObject([{ key: 'other' }]);
  });
});
