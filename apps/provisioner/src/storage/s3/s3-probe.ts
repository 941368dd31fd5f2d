import { randomUUID } from 'node:crypto';
import { sha256Of, type Bucket } from '../../s3/bucket.js';
import { openUploads } from '../../s3/multipart.js';
import { s3StatusOf } from '../../s3/s3-failure.js';
import { StorageFailure } from '../../model/storage-failure.js';

/**
 * Tries what a store must keep for imports to be safe: of two that create an object one is refused, an object that is
 * another by now is not replaced, a payload that is not what was announced is refused, what was written is listed at
 * once, uploads in parts can be found again.
 *
 * @throws StorageFailure in one sentence, or the store's own error
 */
export async function probeStore(bucket: Bucket, under: string): Promise<void> {
  const folder = `${under}/${randomUUID()}/`;
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
  const made = await Promise.all([1, 2, 3].map((each) => bucket.create(key, Buffer.from(String(each)))));
  if (made.filter((etag) => etag !== null).length !== 1) {
    throw new StorageFailure('the store ignores If-None-Match: several callers can create the same object.', undefined);
  }
}

async function probeReplacement(bucket: Bucket, key: string): Promise<void> {
  const seen = (await bucket.head(key))?.etag ?? '';
  const replaced = await bucket.replace(key, Buffer.from('replaced'), seen);
  const late = await bucket.replace(key, Buffer.from('late'), seen);
  if (replaced === null || late !== null) {
    throw new StorageFailure('the store ignores If-Match: a late call can replace what it has not seen.', undefined);
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
    throw new StorageFailure('the store ignores x-amz-content-sha256: it keeps bytes damaged on the way.', undefined);
  }
}

async function probeListing(bucket: Bucket, folder: string): Promise<void> {
  if (!(await bucket.holdsAny(folder))) {
    throw new StorageFailure('the store does not list what was written a moment ago.', undefined);
  }
}
