/** What a landing thread has to know of a file to make it. */
export interface LandingOrder {
  /** The staging folder. */
  readonly folder: string;
  readonly path: string;
  readonly mtimeNs: bigint;
  /** What to compute, SHA-256 among them. */
  readonly algorithms: readonly string[];
  /** Whether the file is flushed before it counts as copied. */
  readonly flush: boolean;
}

/** The next bytes of a file, as they cross to its thread: answered when they are written, with an outcome after the last. */
export interface LandingPiece {
  readonly id: number;
  /** Which file, of all that are copied at the same time. */
  readonly file: number;
  /** With the first piece. */
  readonly order: LandingOrder | null;
  /** In memory that is shared; nobody else's until they are answered. */
  readonly bytes: Uint8Array;
  /** What comes after them; `give up` where no more will, and what there is of the file counts nothing. */
  readonly step: 'more' | 'last' | 'give up';
}
