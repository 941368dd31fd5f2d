import {
  countsOf,
  dispositions,
  type Disposition,
  type FailureCode,
  type FileFailure,
  type ProblemCounts,
} from './failure-code.js';
import type { Problem } from './problem.js';
import type { ProblemList } from './problem-list.js';
import { shortageOf, type SpacePlan } from './space-plan.js';
import { SourceFailure } from './source-system.js';
import {
  ForeignContentError,
  NothingToWithdrawError,
  StorageFailure,
  CaseVariantImportedError,
} from './storage-failure.js';
import { caseVariantInStorage } from './id-collision.js';

/** A failure that ends or interrupts an import, with a code and the affected files. */
export class ImportFailure extends Error {
  /**
   * @param problems the listed problems, sorted by path
   * @param counts all problems, of which there can be more than listed ones
   */
  constructor(
    readonly code: FailureCode,
    message: string,
    readonly problems: readonly (Problem | FileFailure)[] = [],
    cause?: unknown,
    readonly counts: ProblemCounts = countsOf(problems),
  ) {
    super(message, { cause });
    this.name = 'ImportFailure';
  }

  get disposition(): Disposition {
    return dispositions[this.code];
  }
}

/** An import does not fit into the storage. It waits until the missing space is free. */
export class NoSpaceFailure extends ImportFailure {
  constructor(
    readonly space: SpacePlan,
    problems: readonly (Problem | FileFailure)[] = [],
    cause?: unknown,
  ) {
    super('storage.no_space', shortageOf(space), problems, cause);
  }
}

/**
 * Returns the failure that reports every problem of a delivery. If the problems have several codes, a change of the
 * delivery decides first, because the problems may be those of an incomplete delivery. Then follow failures after which
 * the delivery is read again, and problems for which the delivery is rejected.
 *
 * @param problems at least one
 */
export function failureOfProblems(problems: ProblemList<Problem | FileFailure>): ImportFailure {
  const { named, counted } = problems;
  const rank = Math.min(...problems.codes.map(rankOf));
  const decisive = named.find(({ code }) => rankOf(code) === rank);
  const message = decisive ? summaryOf(decisive.message, problems) : '';
  return new ImportFailure(decisive?.code ?? 'internal', message, named, undefined, Object.fromEntries(counted));
}

function rankOf(code: FailureCode): number {
  return code === 'source.changed' ? -1 : ['retry', 'reject', 'wait', 'fail'].indexOf(dispositions[code]);
}

function summaryOf(first: string, { named, count, counted }: ProblemList<Problem | FileFailure>): string {
  if (count === 1) return first;
  const totals = counted.map(([code, number]) => `${String(number)} ${code}`).sort();
  const listed = named.length < count ? `${String(named.length)} of them` : 'them';
  return `${first} Problems in total: ${totals.join(', ')}. The files of the import list ${listed}.`;
}

/** The side of a copy on which a system call failed. */
export type Side = 'source' | 'storage';

const noSpace = new Set(['ENOSPC', 'EDQUOT']);
const denied = new Set(['EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG']);
const vanished = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** Returns the failure code for a system error of the source or the storage. */
export function codeOfErrno(errno = '', side: Side): FailureCode {
  if (denied.has(errno)) return `${side}.denied`;
  if (side === 'storage' && noSpace.has(errno)) return 'storage.no_space';
  if (side === 'source' && vanished.has(errno)) return 'source.changed';
  return `${side}.io`;
}

/** Converts any error to a failure of the import. */
export function failureOf(error: unknown): ImportFailure {
  if (error instanceof ImportFailure) return error;
  if (error instanceof ForeignContentError) return new ImportFailure('storage.foreign', error.message, [], error);
  if (error instanceof CaseVariantImportedError) {
    return new ImportFailure('id.duplicate', caseVariantInStorage(error.subject, error.variant).message, [], error);
  }
  if (error instanceof NothingToWithdrawError) return new ImportFailure('not_imported', error.message, [], error);
  if (error instanceof StorageFailure) {
    return new ImportFailure(codeOfErrno(error.errno, 'storage'), error.message, [], error);
  }
  if (error instanceof SourceFailure) {
    return new ImportFailure(codeOfErrno(error.errno, 'source'), error.message, [], error);
  }
  return new ImportFailure('internal', 'Internal error. The log of the worker contains the details.', [], error);
}
