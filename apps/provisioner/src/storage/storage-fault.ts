import { AppError, DependencyDownError, type DependencyFault } from '@rdc/errors';
import type { StorageFailure } from '../model/storage-failure.js';

/** Reasons for which the operating system or a store fails an operation. */
type StorageFault = Extract<DependencyFault, 'disk_full' | 'read_only' | 'denied' | 'disk_failing' | 'silent'>;

const faultByErrno: Readonly<Record<string, StorageFault>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EROFS: 'read_only',
  EACCES: 'denied',
  EPERM: 'denied',
  EIO: 'disk_failing',
};

/** Seconds after which a caller may retry. An operator must act first. */
const retryAfterSeconds = 30;

/** Returns the reason that an error code of the operating system stands for. */
export function faultOf(errno: string | undefined): StorageFault {
  return faultByErrno[errno ?? ''] ?? 'silent';
}

/** Returns the error for a request that a storage failure ended: 507 if the storage is full, else 503 with the reason. */
export function answerOf(failure: StorageFailure): AppError {
  const fault = faultOf(failure.errno);
  if (fault !== 'disk_full') {
    return new DependencyDownError('storage', failure, fault === 'silent' ? undefined : retryAfterSeconds, fault);
  }
  return new AppError('storage.no_space', 'The storage is full; free some space, then send the request again.', {
    cause: failure,
    retryAfterSeconds,
    details: { dependency: 'storage', reason: fault },
  });
}
