import type { Subject } from '../source/identifier.js';

/** Something in storage that is of no use unless an import goes on with it: staged files, half of a record, a probe's. */
export interface Leftover {
  /** What it is, for the log: a path below the storage's root. */
  readonly name: string;
  /** Whose it is; null where no import can need it. */
  readonly subject: Subject | null;
  /** When anybody last touched it, in milliseconds since 1970. */
  readonly touchedAt: number;
  /**
   * Harmless when it is gone, and when somebody works at it: they are superseded, and go on later.
   *
   * @returns false where it was left after all
   */
  remove(): Promise<boolean>;
}
