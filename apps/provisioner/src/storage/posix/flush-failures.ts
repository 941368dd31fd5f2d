/**
 * Knows which flushes of this process failed. The system reports a lost write once, to whoever flushes next; whoever
 * wrote meanwhile must not take the next success for its own.
 */
export class FlushRecord {
  /** How many have failed. */
  failed = 0;
}
