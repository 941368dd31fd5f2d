import type { Subject } from './identifier.js';

/** Something in storage that is of no use unless an import goes on with it: staged files, half of a record, a probe's. */
export interface Leftover {
  /** What it is, for the log: a path below the storage's root. */
  readonly name: string;
  /** Whose it is; null where no import can need it. */
  readonly subject: Subject | null;
  /** The import of which it says something; absent where it is about none. Of no use once that is not open. */
  readonly importId?: string;
  /** When anybody last touched it, in milliseconds since 1970. */
  readonly touchedAt: number;
  /**
   * Removes it, or puts it back where it was only taken aside. Harmless when it is gone, and when somebody works at it:
   * they are superseded, and go on later.
   *
   * @returns false where it was left after all
   */
  remove(): Promise<boolean>;
}

/**
 * The import of which a record says something, by its path in one of the request log's `wordFolders`; undefined of what
 * none of ours has written there.
 */
export function importIdOf(path: string): string | undefined {
  return /\/([0-9A-HJKMNP-TV-Z]{26})\.(json|\d+)$/.exec(path)?.[1];
}
