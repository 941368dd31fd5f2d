import { SourceFailure } from '../model/source-system.js';

/** The file at the top of the source that contains its identity. */
export const identityFile = '.source-id';

/**
 * Checks that the source is the one that an operator has marked with `SOURCE_IDENTITY`.
 *
 * @param expected the setting; undefined if the source is not marked
 * @param read reads the identity file. Returns null if the file does not exist.
 * @throws SourceFailure if the file is missing or contains another text
 */
export async function checkIdentity(expected: string | undefined, read: () => Promise<string | null>): Promise<void> {
  if (expected === undefined) return;
  const text = await read();
  if (text?.trim() === expected) return;
  const found = text === null ? `has no file ${identityFile}` : `has another identity in ${identityFile}`;
  const message = `The source ${found}; mount the source that SOURCE_IDENTITY names, or write that text into the file.`;
  throw new SourceFailure(message, undefined);
}
