import { AppError } from '@rdc/errors';
import { statusOf } from '@rdc/errors';
import { SourceFailure } from '../model/source-system.js';
import { startFailureOf } from '../health/start-failure.js';
import { StorageFailure } from '../model/storage-failure.js';

/** With which code `provisioner` ends; part of its interface, as scripts branch on it. */
export const exitCodes = {
  done: 0,
  /** Source, storage or queue do not answer, the settings are not right, or it is our fault. */
  failed: 1,
  /** The command line was not understood. */
  usage: 2,
  /** What was asked for is not possible as things stand; nothing was begun. */
  refused: 3,
  /** An import ended, and not as `finished`; or a verification found differences. */
  unfinished: 4,
  /** Ctrl-C: what was asked for goes on without us. */
  interrupted: 130,
} as const;

/** What an operator reads of an error, and with which code the process ends. */
export function failureOf(error: unknown): { readonly message: string; readonly code: number } {
  if (error instanceof AppError) return { message: error.message, code: exitCodeOf(error) };
  if (error instanceof SourceFailure || error instanceof StorageFailure) {
    return { message: error.message, code: exitCodes.failed };
  }
  return { message: startFailureOf(error), code: exitCodes.failed };
}

/** What the caller can mend is a refusal; what only we or an operator can is a failure. */
export function exitCodeOf({ code }: AppError): number {
  const status = statusOf(code);
  return status < 500 || code === 'storage.no_space' ? exitCodes.refused : exitCodes.failed;
}
