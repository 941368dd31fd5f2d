import type { Subject } from './identifier.js';

/** Data in storage that an interrupted process left behind: staged files, an incomplete record or a test write. */
export interface Leftover {
  /** The path below the root of the storage, for the log. */
  readonly name: string;
  /** The subject to which the leftover belongs; null if no import can resume from it. */
  readonly subject: Subject | null;
  /** The import that the leftover describes, if any. The leftover is useless when that import is not open. */
  readonly importId?: string;
  /** The time of the last change, in milliseconds since 1970. */
  readonly touchedAt: number;
  /**
   * Removes the leftover, or restores data that was only moved aside. May be called repeatedly. If an attempt is using
   * the leftover, that attempt is superseded and resumes later.
   *
   * @returns false if the leftover was kept
   */
  remove(): Promise<boolean>;
}

/**
 * Returns the id of the import that a record describes, from the path of the record in one of `openImportFolders`.
 *
 * @returns undefined if the provisioner did not write the file
 */
export function importIdOf(path: string): string | undefined {
  return /\/([0-9A-HJKMNP-TV-Z]{26})\.(json|\d+)$/.exec(path)?.[1];
}
