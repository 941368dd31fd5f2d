import { closeSync, constants, fchmodSync, fstatSync, openSync, chmodSync } from 'node:fs';
import type { TargetLocation } from '../model/workspace.js';
import type { CopyOrder } from './copy-messages.js';
import { Digests } from './digests.js';
import { publishedFileMode } from './new-file.js';
import { readPartNote } from './part-notes.js';
import { CopyError, pump } from './pump.js';

const openMode = 0o640;

/** A staged file to which the rest of its bytes is written. */
export interface Part {
  readonly output: number;
  /** The digests of the bytes at the beginning of the file that are complete. */
  readonly digests: Digests;
  /** The number of these bytes. */
  readonly bytes: number;
  /** The length of the file. The bytes after the complete ones are unknown. */
  readonly length: number;
  /** Whether the file is a clone, which is only hashed. */
  readonly isClone: boolean;
}

/**
 * Opens the part of a file that an earlier attempt has staged, and reads it again for its digests.
 *
 * @param onBytes called with the number of bytes of each piece that is read, and with the negative sum if the part cannot
 *   be used. An error that it throws ends the call.
 * @returns null if the file must be copied from its beginning
 */
export async function reopenPart(
  target: TargetLocation,
  order: CopyOrder,
  onBytes: (count: number) => void,
): Promise<Part | null> {
  const note = readPartNote(target, order);
  if (!note) return null;
  const output = openAgain(`${target.folder}/${order.path}`);
  if (output === null) return null;
  const digests = new Digests(order.algorithms);
  const { bytes } = note;
  let read = 0;
  const count = (some: number): void => {
    onBytes(some);
    read += some;
  };
  let isUsed = false;
  try {
    const { size: length } = fstatSync(output);
    await pump({ input: output, output: null, size: bytes, isPrefix: true, digests, onBytes: count });
    isUsed = digests.soFar() === note.sha256;
    if (isUsed) return { output, digests, bytes, length, isClone: false };
  } catch (error) {
    // A part that cannot be read is copied again. Any other error ends the copy of the file.
    if (!(error instanceof CopyError && error.failure.side === 'source')) throw error;
  } finally {
    if (!isUsed) closeSync(output);
  }
  onBytes(-read);
  return null;
}

/** Opens a staged file, which is read-only, for reading and writing. @returns null if that is impossible */
function openAgain(path: string): number | null {
  try {
    chmodSync(path, openMode);
    const output = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
    fchmodSync(output, publishedFileMode);
    return output;
  } catch {
    return null;
  }
}
