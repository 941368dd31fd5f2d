import type { FailureCode } from '../model/failure.js';
import type { FileRecord } from '../model/commit.js';
import type { StoredEntry } from '../model/storage.js';

/** What was imported, as far as it is compared. */
export type ExpectedEntry = Pick<FileRecord, 'path' | 'type' | 'size' | 'sha256' | 'target'>;

/** What stands where something was imported. */
export interface ActualEntry {
  /** Undefined where it cannot even be looked at. */
  readonly type?: StoredEntry['type'];
  readonly size?: number;
  /** Permission bits; undefined where the storage has none. */
  readonly mode?: number;
  /** Where a symbolic link leads; only for those. */
  readonly target?: string;
  /** Hexadecimal; only for files that have the size with which they were imported. */
  readonly sha256?: string;
  /** The operating system's word for why it cannot be read. */
  readonly errno?: string;
}

/** In what an entry is not as it was imported, and words that follow its path; or why nobody can tell. */
export type Difference =
  | { readonly code: FailureCode; readonly errno?: undefined; readonly description: string }
  | { readonly code?: undefined; readonly errno: string; readonly description: string };

/** What the storage allows to files and folders that were imported, and without what its own account cannot read. */
const fileMode = 0o440;
const folderMode = 0o550;
const ownerReads = 0o400;

/**
 * Compares an entry with what stands in its place, null for nothing. A folder in whose place something else stands is
 * not named here: whoever lists what there is meets it, in a store that knows no folders too.
 */
export function differencesOf(listed: ExpectedEntry, found: ActualEntry | null): readonly Difference[] {
  if (listed.type === 'symlink') return linkDifferences(listed, found);
  if (!found) return [{ code: 'file.missing', description: 'was imported and is not there.' }];
  if (found.type === undefined) return [unreadable(found)];
  if (found.type !== listed.type)
    return listed.type === 'file' ? [{ code: 'file.special', description: 'was a file and is none.' }] : [];
  return [...modeDifferences(found), ...(listed.type === 'file' ? contentDifferences(listed, found) : [])];
}

function linkDifferences({ target }: ExpectedEntry, found: ActualEntry | null): readonly Difference[] {
  const isSame = found?.type === 'symlink' && found.target === target;
  return isSame ? [] : [{ code: 'file.symlink', description: `was a link to ${String(target)}.` }];
}

function modeDifferences({ type, mode }: ActualEntry): readonly Difference[] {
  const allowed = type === 'directory' ? folderMode : fileMode;
  if (mode === undefined || ((mode & ~allowed) === 0 && (mode & ownerReads) !== 0)) return [];
  const shown = mode.toString(8).padStart(4, '0');
  return [{ code: 'mode.changed', description: `has the permissions ${shown}, which no import gives.` }];
}

function contentDifferences(listed: ExpectedEntry, found: ActualEntry): readonly Difference[] {
  if (found.size !== listed.size) {
    const what = `has ${String(found.size)} bytes; imported were ${String(listed.size)}.`;
    return [{ code: 'size.mismatch', description }];
  }
  if (found.errno !== undefined) return [unreadable(found)];
  if (found.sha256 === listed.sha256) return [];
  const what = `has SHA-256 ${String(found.sha256)}; imported was ${String(listed.sha256)}.`;
  return [{ code: 'checksum.mismatch', description }];
}

function unreadable({ errno = '' }: ActualEntry): Difference {
  return { errno, description: `cannot be read: ${errno}.` };
}
