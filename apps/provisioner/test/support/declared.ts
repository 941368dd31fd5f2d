import { Declarations } from '../../src/source/declarations/declarations.js';
import type { DeclaredFile } from '../../src/source/declarations/declared-files.js';
import type { DescriptorReader } from '../../src/source/declarations/descriptor-reader.js';
import { DescriptorError } from '../../src/source/declarations/json-document.js';

/** Digests of the text `1`. */
export const md5 = 'c4ca4238a0b923820dcc509a6f75849b';
export const sha256 = '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b';

/** Returns the declarations of a text that a reader reads in pieces. */
export function declared(
  text: string | Buffer,
  readerFor: (into: Declarations) => DescriptorReader,
  { into = new Declarations(), path = 'the descriptor', pieceBytes = 1 << 20 } = {},
): Declarations {
  const reader = readerFor(into);
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) reader.write(bytes.subarray(at, at + pieceBytes));
    reader.end();
  } catch (error) {
    if (!(error instanceof DescriptorError)) throw error;
    into.refuse(path, error);
  }
  return into;
}

/** Returns the declarations by file. */
export function filesOf({ files }: Declarations): Readonly<Record<string, DeclaredFile | undefined>> {
  return Object.fromEntries([...files.missing()].map(({ path }) => [path, files.get(path)]));
}

export function messagesOf({ problems }: Declarations): readonly string[] {
  return problems.named.map(({ message }) => message);
}
