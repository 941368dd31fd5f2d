import type { Problem, ProblemCode } from './problem.js';
import { SourceFailure } from './source-system.js';
import { ForeignContentError, NothingToWithdrawError, StorageFailure, CaseVariantImportedError } from './storage-failure.js';
import { caseVariantInStorage } from './duplicate-id.js';

/** Why an import does not finish: what the source must mend, and what we or an operator must. */
export type FailureCode =
  | ProblemCode
  | 'source.gone'
  | 'source.io'
  | 'storage.io'
  | 'storage.no_space'
  | 'storage.denied'
  | 'storage.foreign'
  | 'mode.changed'
  | 'list.changed'
  | 'not_imported'
  | 'no_progress'
  | 'internal';

/** What becomes of an import: `reject` it, try it again later, wait for room, or `fail` it at once. */
export type Disposition = 'reject' | 'retry' | 'wait' | 'fail';

/** The one place where a failure becomes a decision. A new code does not compile until it is decided here. */
export const dispositions: Readonly<Record<FailureCode, Disposition>> = {
  'id.invalid': 'reject',
  'id.duplicate': 'reject',
  'descriptor.invalid': 'reject',
  'descriptor.too_large': 'reject',
  'name.reserved': 'reject',
  'name.not_utf8': 'reject',
  'name.invalid': 'reject',
  'name.too_long': 'reject',
  'name.collision': 'reject',
  'name.unsafe': 'reject',
  'file.symlink': 'reject',
  'file.special': 'reject',
  'file.hard_link': 'reject',
  'file.missing': 'reject',
  'file.unlisted': 'reject',
  'size.mismatch': 'reject',
  'checksum.mismatch': 'reject',
  'source.changed': 'reject',
  'source.gone': 'fail',
  'source.io': 'retry',
  'source.denied': 'fail',
  'storage.io': 'retry',
  'storage.no_space': 'wait',
  'storage.denied': 'fail',
  'storage.foreign': 'fail',
  'mode.changed': 'fail',
  'list.changed': 'fail',
  not_imported: 'fail',
  no_progress: 'fail',
  internal: 'retry',
};

/** An import stops, for a reason with a code; every file concerned is named. */
export class ImportFailure extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    readonly problems: readonly (Problem | FileFailure)[] = [],
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'ImportFailure';
  }

  get disposition(): Disposition {
    return dispositions[this.code];
  }
}

/** A file that could not be copied, as the copy found it. */
export interface FileFailure {
  readonly code: FailureCode;
  readonly path: string;
  readonly message: string;
}

/** On which side of a copy the operating system refused. */
export type Side = 'source' | 'storage';

const full = new Set(['ENOSPC', 'EDQUOT']);
const denied = new Set(['EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG']);
const vanished = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** The code for what the operating system says while reading the source or writing the storage. */
export function codeOfErrno(errno = '', side: Side): FailureCode {
  if (denied.has(errno)) return `${side}.denied`;
  if (side === 'storage' && full.has(errno)) return 'storage.no_space';
  if (side === 'source' && vanished.has(errno)) return 'source.changed';
  return `${side}.io`;
}

/** Any error as a failure of the import. */
export function failureOf(error: unknown): ImportFailure {
  if (error instanceof ImportFailure) return error;
  if (error instanceof ForeignContentError) return new ImportFailure('storage.foreign', error.message, [], error);
  if (error instanceof CaseVariantImportedError) {
    return new ImportFailure('id.duplicate', caseVariantInStorage(error.subject, error.twin).message, [], error);
  }
  if (error instanceof NothingToWithdrawError) return new ImportFailure('not_imported', error.message, [], error);
  if (error instanceof StorageFailure) {
    return new ImportFailure(codeOfErrno(error.errno, 'storage'), error.message, [], error);
  }
  if (error instanceof SourceFailure) {
    return new ImportFailure(codeOfErrno(error.errno, 'source'), error.message, [], error);
  }
  return new ImportFailure('internal', 'Something went wrong on our side; the log of the worker holds it.', [], error);
}
