import { DependencyDownError, type DependencyFault } from '@rdc/errors';

/**
 * Patterns for the errors of Redis and the SQLSTATEs of Postgres. A script of the queue may quote an error of Redis.
 */
const faults: readonly (readonly [RegExp, DependencyFault])[] = [
  [/\bOOM command not allowed/, 'memory_full'],
  [/\bMISCONF\b/, 'disk_failing'],
  [/\bREADONLY\b/, 'read_only'],
  [/^LOADING\b/, 'starting'],
  [/^57P03$/, 'starting'],
  [/^53100$/, 'disk_full'],
  [/^25006$/, 'read_only'],
  [/^58030$/, 'disk_failing'],
];

/** Returns the 503 for a call that the queue failed, with the reason if the queue gave one. */
export function queueDown(cause: unknown): DependencyDownError {
  return new DependencyDownError('queue', cause, undefined, faultOf(cause));
}

function faultOf(cause: unknown): DependencyFault {
  if (!(cause instanceof Error)) return 'silent';
  const { code } = cause as NodeJS.ErrnoException;
  const texts = [code, cause.message].filter((each) => each !== undefined);
  return faults.find(([shape]) => texts.some((each) => shape.test(each)))?.[1] ?? 'silent';
}
