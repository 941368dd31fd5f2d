import { algorithmOf, isDigest, type Algorithm } from './algorithms.js';
import { isInside, type Declarations } from './declarations.js';
import { maxLineLength } from './lines.js';

const listName =
  /^(?:(md5|sha1|sha224|sha256|sha384|sha512)sums?(?:\.txt)?|checksums?\.(md5|sha1|sha224|sha256|sha384|sha512))$/i;

/** The algorithm of a checksum list by its name, such as `SHA256SUMS`, `md5sums.txt` or `checksum.sha1`. */
export function algorithmOfList(name: string): Algorithm | undefined {
  const match = listName.exec(name);
  return match ? algorithmOf(match[1] ?? match[2] ?? '') : undefined;
}

/** How the names in a list are written: escaped by coreutils, or by BagIt's `%0A`, `%0D` and `%25`. */
export type ListDialect = 'coreutils' | 'bagit';

/** A checksum list, some lines at a time. */
export interface ChecksumList {
  readonly name: string;
  readonly algorithm: Algorithm;
  readonly lines: AsyncIterable<readonly string[]>;
}

/** Reads lines of `<digest>  <path>` into the declarations, up to the first that is none. */
export async function readChecksumList(
  into: Declarations,
  { name, algorithm, lines }: ChecksumList,
  dialect: ListDialect,
): Promise<void> {
  let number = 0;
  for await (const some of lines) {
    for (const line of some) {
      number += 1;
      if (line.trim() === '') continue;
      const said = line.length > maxLineLength ? null : sayingOf(line, algorithm, dialect);
      if (!said) {
        into.invalid(name, `line ${String(number)} is not "<${algorithm}>  <path inside the dataset>"`);
        return;
      }
      into.addChecksum(said.path, algorithm, said.digest, name);
    }
  }
}

/** What a line says; null where it is not one of such a list. */
function sayingOf(
  line: string,
  algorithm: Algorithm,
  dialect: ListDialect,
): { readonly path: string; readonly digest: string } | null {
  const [, escape, digest = '', written = ''] = /^(\\?)([0-9A-Fa-f]+)(?:[ \t]+\*?)(.+)$/.exec(line) ?? [];
  const path = pathOf(written, escape === '\\', dialect);
  return isInside(path) && isDigest(digest, algorithm) ? { path, digest } : null;
}

function pathOf(written: string, escaped: boolean, dialect: ListDialect): string {
  const bare = written.replace(/^\.\//, '');
  if (dialect === 'bagit') {
    return bare.replace(/%0A/gi, '\n').replace(/%0D/gi, '\r').replace(/%25/g, '%');
  }
  const meanings: Readonly<Record<string, string>> = { '\\\\': '\\', '\\n': '\n', '\\r': '\r' };
  return escaped ? bare.replace(/\\[\\nr]/g, (sequence) => meanings[sequence] ?? sequence) : bare;
}
