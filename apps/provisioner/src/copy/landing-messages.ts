/** A file that a landing thread creates. */
export interface LandingOrder {
  /** The staging folder. */
  readonly folder: string;
  readonly path: string;
  readonly mtimeNs: bigint;
  /** Algorithms to compute, including SHA-256. */
  readonly algorithms: readonly string[];
  /** Whether the file is flushed before it counts as copied. */
  readonly flush: boolean;
}

/**
 * A message with the next bytes of a file. The thread replies when the bytes are written. The reply to the last piece
 * contains the outcome.
 */
export interface LandingPiece {
  readonly id: number;
  /** The number of the file, unique in the process. */
  readonly file: number;
  /** The file to create. Set in the first piece only. */
  readonly order: LandingOrder | null;
  /** Shared memory, which the sender must not change before the reply. */
  readonly bytes: Uint8Array;
  /** `more` if other pieces follow, `last` if the file is complete, `abort` if the file is abandoned. */
  readonly step: 'more' | 'last' | 'abort';
}
