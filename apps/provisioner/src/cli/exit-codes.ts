import { AppError } from '@rdc/errors';
import { statusOf } from '@rdc/errors';
import { SourceFailure } from '../model/source-system.js';
import { startFailureOf } from '../health/start-failure.js';
import { StorageFailure } from '../model/storage-failure.js';

/** The exit codes of `provisioner`. Scripts depend on them, so they are part of the interface. */
export const exitCodes = {
  done: 0,
  /** The source, storage or queue is unavailable, the settings are invalid, or an internal error occurred. */
  failed: 1,
  /** The command line is invalid. */
  usage: 2,
  /** The request was refused. Nothing was started. */
  refused: 3,
  /** An import did not finish, or a verification found differences. */
  unfinished: 4,
  /** Ctrl-C ended the command. Requested imports continue. */
  interrupted: 130,
} as const;

/** Returns the message and the exit code for an error. */
export function failureOf(error: unknown): { readonly message: string; readonly code: number } {
  if (error instanceof AppError) return { message: error.message, code: exitCodeOf(error) };
  if (error instanceof SourceFailure || error instanceof StorageFailure) {
    return { message: error.message, code: exitCodes.failed };
  }
  return { message: startFailureOf(error), code: exitCodes.failed };
}

/** Returns `refused` for an error that the caller can resolve, otherwise `failed`. */
export function exitCodeOf({ code }: AppError): number {
  const status = statusOf(code);
  return status < 500 || code === 'storage.no_space' ? exitCodes.refused : exitCodes.failed;
}
