import { CreateBucketCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { randomUUID } from 'node:crypto';
import type { Bucket } from '../../src/s3/bucket.js';
import { openBucket } from '../../src/s3/s3-location.js';
import type { S3Access } from '../../src/settings/s3-access.js';

/** The access to the store of the suites `*.s3.spec.ts`. */
export const testAccess: S3Access = {
  endpoint: process.env['TEST_S3_ENDPOINT'],
  region: 'us-east-1',
  accessKeyId: process.env['TEST_S3_ACCESS_KEY_ID'],
  secretAccessKey: process.env['TEST_S3_SECRET_ACCESS_KEY'],
};

/** The access of another user, who may read only that user's buckets. */
export const strangerAccess: S3Access = {
  ...testAccess,
  accessKeyId: process.env['TEST_S3_STRANGER_KEY_ID'],
  secretAccessKey: process.env['TEST_S3_STRANGER_KEY'],
};

/** Returns the settings of the source or of the storage. */
export function s3Settings(side: 'SOURCE' | 'STORAGE', url: string, access = testAccess): Record<string, string> {
  return {
    [`${side}_URL`]: url,
    [`${side}_S3_ENDPOINT`]: access.endpoint ?? '',
    [`${side}_S3_ACCESS_KEY_ID`]: access.accessKeyId ?? '',
    [`${side}_S3_SECRET_ACCESS_KEY`]: access.secretAccessKey ?? '',
  };
}

/** Creates a bucket, and returns it with a prefix. */
export async function makeBucket(access = testAccess): Promise<{ readonly url: string; readonly bucket: Bucket }> {
  const url = `s3://test-${randomUUID()}/some/prefix`;
  const bucket = openBucket(url, access);
  await bucket.client.send(new CreateBucketCommand({ Bucket: bucket.name }));
  return { url, bucket };
}

/** Returns the keys of a bucket and the number of open uploads. */
export async function everythingIn(bucket: Bucket): Promise<{ readonly keys: string[]; readonly uploads: number }> {
  const keys: string[] = [];
  for await (const { key } of bucket.list('')) keys.push(key);
  const { Uploads } = await bucket.client.send(new ListMultipartUploadsCommand({ Bucket: bucket.name }));
  return { keys, uploads: Uploads?.length ?? 0 };
}
