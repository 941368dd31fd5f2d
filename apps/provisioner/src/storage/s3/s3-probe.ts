import { randomUUID } from 'node:crypto';
import { sha256Of, type Bucket } from '../../s3/bucket.js';
import { openUploads } from '../../s3/multipart.js';
import { s3StatusOf } from '../../s3/s3-failure.js';
import { StorageFailure } from '../../model/storage-failure.js';

/**
 * Probes the guarantees of a store that imports rely on: exclusive creation, conditional replacement, payload checksums,
 * listings that include recent writes, and listings of multipart uploads.
 *
 * @throws StorageFailure if a guarantee is missing, or the store's error if the probe fails
 */
export async function probeStore(bucket: Bucket, prefix: string): Promise<void> {
  const folder = `${prefix}/${randomUUID()}/`;
  try {
    await probeCreation(bucket, `${folder}create`);
    await probeReplacement(bucket, `${folder}create`);
    await probePayloadHash(bucket, `${folder}payload`);
    await probeListing(bucket, folder);
    await openUploads(bucket, folder);
  } finally {
    await bucket.removeAll(folder);
  }
}

async function probeCreation(bucket: Bucket, key: string): Promise<void> {
  const etags = await Promise.all([1, 2, 3].map((value) => bucket.create(key, Buffer.from(String(value)))));
  if (etags.filter((etag) => etag !== null).length !== 1) {
    throw unfit('the store ignores If-None-Match, so several callers can create the same object');
  }
}

async function probeReplacement(bucket: Bucket, key: string): Promise<void> {
  const etag = (await bucket.head(key))?.etag ?? '';
  const replaced = await bucket.replace(key, Buffer.from('replaced'), etag);
  const late = await bucket.replace(key, Buffer.from('late'), etag);
  if (replaced === null || late !== null) {
    throw unfit('the store ignores If-Match, so a late call can replace a newer object');
  }
}

async function probePayloadHash(bucket: Bucket, key: string): Promise<void> {
  const accepted = await bucket.put(key, Buffer.from('sent'), sha256Of(Buffer.from('announced'))).then(
    () => true,
    (error: unknown) => {
      if (s3StatusOf(error) === 400) return false;
      throw error;
    },
  );
  if (accepted) {
    throw unfit('the store ignores x-amz-content-sha256, so it stores bytes that were damaged in transit');
  }
}

async function probeListing(bucket: Bucket, folder: string): Promise<void> {
  if (!(await bucket.holdsAny(folder))) {
    throw unfit('the store does not list an object that was just written');
  }
}

function unfit(reason: string): StorageFailure {
  return new StorageFailure(`${reason}; use a store that supports it.`, undefined);
}
