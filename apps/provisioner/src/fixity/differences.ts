import type { FailureCode } from '../model/failure-code.js';
import type { FileRecord } from '../model/commit.js';
import type { StoredEntry } from '../model/storage.js';

/** An entry as it was imported, with the properties that are compared. */
export type ExpectedEntry = Pick<FileRecord, 'path' | 'type' | 'size' | 'sha256' | 'target'>;

/** An entry as it is stored now. */
export interface ActualEntry {
  /** Undefined if the entry cannot be inspected. */
  readonly type?: StoredEntry['type'];
  readonly size?: number;
  /** Permission bits; undefined if the storage has none. */
  readonly mode?: number;
  /** The target of a symbolic link; undefined for other entries. */
  readonly target?: string;
  /** The hexadecimal SHA-256 of a file; undefined if its size differs from the imported size. */
  readonly sha256?: string;
  /** The operating system's error code if the entry cannot be read. */
  readonly errno?: string;
}

/**
 * A difference between an entry as imported and as stored, or the error code if the entry cannot be compared. The
 * description follows the entry's path in a message.
 */
export type Difference =
  | { readonly code: FailureCode; readonly errno?: undefined; readonly description: string }
  | { readonly code?: undefined; readonly errno: string; readonly description: string };

/** The permissions of imported files and folders, and the bit without which the storage's account cannot read them. */
const fileMode = 0o440;
const folderMode = 0o550;
const ownerReads = 0o400;

/**
 * Compares an entry with the stored one. If something else replaced a folder, no difference is returned: the listing of
 * the stored entries reports the replacement, also in a store without folders.
 *
 * @param actual null if the entry does not exist
 */
export function differencesOf(expected: ExpectedEntry, actual: ActualEntry | null): readonly Difference[] {
  if (expected.type === 'symlink') return linkDifferences(expected, actual);
  if (!actual) return [{ code: 'file.missing', description: 'was imported and is missing.' }];
  if (actual.type === undefined) return [unreadable(actual)];
  if (actual.type !== expected.type)
    return expected.type === 'file' ? [{ code: 'file.special', description: 'is no longer a regular file.' }] : [];
  return [...modeDifferences(actual), ...(expected.type === 'file' ? contentDifferences(expected, actual) : [])];
}

function linkDifferences({ target }: ExpectedEntry, actual: ActualEntry | null): readonly Difference[] {
  const isSame = actual?.type === 'symlink' && actual.target === target;
  return isSame ? [] : [{ code: 'file.symlink', description: `is no longer a link to ${String(target)}.` }];
}

function modeDifferences({ type, mode }: ActualEntry): readonly Difference[] {
  const allowed = type === 'directory' ? folderMode : fileMode;
  if (mode === undefined || ((mode & ~allowed) === 0 && (mode & ownerReads) !== 0)) return [];
  const shown = mode.toString(8).padStart(4, '0');
  return [
    {
      code: 'mode.changed',
      description: `has the permissions ${shown}; an import sets ${allowed.toString(8).padStart(4, '0')} or fewer.`,
    },
  ];
}

function contentDifferences(expected: ExpectedEntry, actual: ActualEntry): readonly Difference[] {
  if (actual.size !== expected.size) {
    const description = `has ${String(actual.size)} bytes; ${String(expected.size)} bytes were imported.`;
    return [{ code: 'size.mismatch', description }];
  }
  if (actual.errno !== undefined) return [unreadable(actual)];
  if (actual.sha256 === expected.sha256) return [];
  const description = `has SHA-256 ${String(actual.sha256)}; ${String(expected.sha256)} was imported.`;
  return [{ code: 'checksum.mismatch', description }];
}

function unreadable({ errno = '' }: ActualEntry): Difference {
  return { errno, description: `cannot be read: ${errno}.` };
}
