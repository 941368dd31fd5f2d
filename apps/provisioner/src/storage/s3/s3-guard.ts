import { s3FailureOf } from '../../s3/s3-failure.js';
import { StorageFailure } from '../../model/storage-failure.js';

/** Runs calls to the store. @throws StorageFailure instead of an error of the store */
export async function guarded<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw asStorageFailure(error);
  }
}

/** Converts an error of the store to a StorageFailure. Returns any other error unchanged. */
export function asStorageFailure(error: unknown): unknown {
  const failure = s3FailureOf(error);
  return failure ? new StorageFailure(`A storage operation failed: ${failure.message}`, failure.errno, error) : error;
}
