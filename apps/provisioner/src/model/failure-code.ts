import type { ProblemCode } from './problem.js';

/** The reasons why an import does not finish: problems of the delivery, of the storage, and of the service. */
export type FailureCode =
  | ProblemCode
  | 'source.gone'
  | 'source.unavailable'
  | 'source.not_ready'
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

/** The treatment of an import after a failure: reject, retry later, wait for space, or fail immediately. */
export type Disposition = 'reject' | 'retry' | 'wait' | 'fail';

/** The disposition of each failure. The type requires an entry for every code. */
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
  // Reported as a warning. No import ends with this code.
  'checksum.not_compared': 'reject',
  'checksum.undeclared': 'reject',
  'source.changed': 'reject',
  'source.gone': 'fail',
  'source.unavailable': 'wait',
  'source.not_ready': 'reject',
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

/** The number of problems of each code. */
export type ProblemCounts = Readonly<Partial<Record<FailureCode, number>>>;

/** Returns the number of problems of each code. */
export function countsOf(problems: readonly { readonly code: FailureCode }[]): ProblemCounts {
  const counts: Partial<Record<FailureCode, number>> = {};
  for (const { code } of problems) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

/** A file that could not be copied or verified. */
export interface FileFailure {
  readonly code: FailureCode;
  readonly path: string;
  readonly message: string;
}
