import type { CopyOrder, CopyOutcome } from '../copy/copy-messages.js';
import { codeOfErrno, ImportFailure } from '../model/failure.js';
import type { FileFailure } from '../model/failure-code.js';
import type { SourceEntry } from '../model/source-system.js';
import { individualFlushBytes } from '../model/workspace.js';
import { SupersededError } from '../model/storage-failure.js';
import type { Checksums } from '../source/declarations/declared-files.js';

/** Returns the order for a file. @param further algorithms to compute in addition to those of the declared digests */
export function orderOf(
  { path, size, mtimeNs, version }: SourceEntry,
  declared: Checksums = {},
  further: readonly string[] = [],
): CopyOrder {
  const algorithms = [...new Set([...Object.keys(declared), ...further])];
  return { path, size, mtimeNs, version, algorithms, flush: size >= individualFlushBytes };
}

/**
 * Returns the failures of a file: its differences from the declared digests, or the reason why it could not be read.
 * Returns none for a file whose order was aborted.
 *
 * @throws ImportFailure or SupersededError if the storage failed
 */
export function failuresOf(
  { path }: SourceEntry,
  outcome: CopyOutcome | undefined,
  declared: Checksums = {},
): readonly FileFailure[] {
  if (!outcome) throw new Error(`The copier returned no outcome for ${path}.`);
  const { digests, failure } = outcome;
  if (digests) return mismatchesOf(path, digests, declared);
  if (failure.side === 'aborted') return [];
  const code = failure.side === 'changed' ? 'source.changed' : codeOfErrno(failure.errno, failure.side);
  const problem = { code, path, message: failure.message };
  // The copier creates folders. If it cannot create them, another start of the import has removed the staging folder.
  if (failure.side === 'storage' && failure.errno === 'ENOENT') throw new SupersededError();
  if (failure.side === 'storage') throw new ImportFailure(code, problem.message, [problem]);
  return [problem];
}

function mismatchesOf(
  path: string,
  digests: Readonly<Record<string, string>>,
  declared: Checksums,
): readonly FileFailure[] {
  return Object.entries(declared)
    .filter(([algorithm, expected]) => digests[algorithm] !== expected)
    .map(([algorithm, expected]) => {
      const message = `${path}: the ${algorithm} is ${String(digests[algorithm])}, but ${expected} is declared.`;
      return { code: 'checksum.mismatch', path, message };
    });
}
