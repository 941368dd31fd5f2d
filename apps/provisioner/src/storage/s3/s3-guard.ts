import { s3FailureOf } from '../../s3/s3-failure.js';
import { StorageFailure } from '../../model/storage-failure.js';

/** Runs calls to the store, and turns what it answers into a StorageFailure. */
export async function guarded<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw asStorageFailure(error);
  }
}

/** A store's error as a StorageFailure; every other as it is. */
export function asStorageFailure(error: unknown): unknown {
  const failure = s3FailureOf(error);
  return failure
    ? new StorageFailure(`The storage does not answer as it should: ${failure.message}`, failure.errno, error)
    : error;
}
