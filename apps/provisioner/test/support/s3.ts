import { CreateBucketCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { randomUUID } from 'node:crypto';
import type { Bucket } from '../../src/s3/bucket.js';
import { openBucket } from '../../src/s3/s3-location.js';
import type { S3Access } from '../../src/settings/s3-access.js';

/** How the Ceph of the suites `*.s3.spec.ts` is reached. */
export const testAccess: S3Access = {
  endpoint: process.env['TEST_S3_ENDPOINT'],
  region: 'us-east-1',
  accessKeyId: process.env['TEST_S3_ACCESS_KEY_ID'],
  secretAccessKey: process.env['TEST_S3_SECRET_ACCESS_KEY'],
};

/** The same for another user, to whom other buckets than his own are closed. */
export const strangerAccess: S3Access = {
  ...testAccess,
  accessKeyId: process.env['TEST_S3_STRANGER_KEY_ID'],
  secretAccessKey: process.env['TEST_S3_STRANGER_KEY'],
};

/** The settings of one side, with a prefix that makes keys distinct. */
export function s3Settings(side: 'SOURCE' | 'STORAGE', url: string, access = testAccess): Record<string, string> {
  return {
    [`${side}_URL`]: url,
    [`${side}_S3_ENDPOINT`]: access.endpoint ?? '',
    [`${side}_S3_ACCESS_KEY_ID`]: access.accessKeyId ?? '',
    [`${side}_S3_SECRET_ACCESS_KEY`]: access.secretAccessKey ?? '',
  };
}

/** A new bucket, and a prefix in it. */
export async function makeBucket(access = testAccess): Promise<{ readonly url: string; readonly bucket: Bucket }> {
  const url = `s3://test-${randomUUID()}/some/prefix`;
  const bucket = openBucket(url, access);
  await bucket.client.send(new CreateBucketCommand({ Bucket: bucket.name }));
  return { url, bucket };
}

/** Everything that is in a bucket, uploads that nobody ended included. */
export async function everythingIn(bucket: Bucket): Promise<{ readonly keys: string[]; readonly uploads: number }> {
  const keys: string[] = [];
  for await (const { key } of bucket.list('')) keys.push(key);
  const { Uploads } = await bucket.client.send(new ListMultipartUploadsCommand({ Bucket: bucket.name }));
  return { keys, uploads: Uploads?.length ?? 0 };
}
