import { codeOfErrno, type FailureCode } from '../imports/failure.js';
import type { FileRecord } from '../storage/commit.js';
import { publishedFileMode, publishedFolderMode } from '../storage/posix/durable-file.js';
import type { FoundEntry } from './file-checker.js';

/** In what an entry is not as it was imported: words that follow its path. */
export interface Difference {
  readonly code: FailureCode;
  readonly what: string;
}

/** Without which its own account cannot read it. */
const ownerReads = 0o400;

/**
 * Compares an entry with what stands in its place, null for nothing. A folder in whose place something else stands is
 * not named here: whoever lists what there is meets it, in a store that knows no folders too.
 */
export function differencesOf(record: FileRecord, found: FoundEntry | null): readonly Difference[] {
  if (record.type === 'symlink') return linkDifferences(record, found);
  if (!found) return [{ code: 'file.missing', what: 'was imported and is not there.' }];
  if (found.type === undefined) return [unreadable(found)];
  if (found.type !== record.type)
    return record.type === 'file' ? [{ code: 'file.special', what: 'was a file and is none.' }] : [];
  return [...modeDifferences(found), ...(record.type === 'file' ? contentDifferences(record, found) : [])];
}

function linkDifferences({ target }: FileRecord, found: FoundEntry | null): readonly Difference[] {
  const isSame = found?.type === 'symlink' && found.target === target;
  return isSame ? [] : [{ code: 'file.symlink', what: `was a link to ${String(target)}.` }];
}

function modeDifferences({ type, mode }: FoundEntry): readonly Difference[] {
  const allowed = type === 'directory' ? publishedFolderMode : publishedFileMode;
  if (mode === undefined || ((mode & ~allowed) === 0 && (mode & ownerReads) !== 0)) return [];
  const shown = mode.toString(8).padStart(4, '0');
  return [{ code: 'mode.changed', what: `has the permissions ${shown}, which no import gives.` }];
}

function contentDifferences(record: FileRecord, found: FoundEntry): readonly Difference[] {
  if (found.size !== record.size) {
    const what = `has ${String(found.size)} bytes; imported were ${String(record.size)}.`;
    return [{ code: 'size.mismatch', what }];
  }
  if (found.errno !== undefined) return [unreadable(found)];
  if (found.sha256 === record.sha256) return [];
  const what = `has SHA-256 ${String(found.sha256)}; imported was ${String(record.sha256)}.`;
  return [{ code: 'checksum.mismatch', what }];
}

function unreadable({ errno }: FoundEntry): Difference {
  return { code: codeOfErrno(errno, 'storage'), what: `cannot be read: ${String(errno)}.` };
}
