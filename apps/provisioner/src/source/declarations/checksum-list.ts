import { algorithmOf, isDigest, isInside, type Algorithm, type Declarations } from './declarations.js';

const listName =
  /^(?:(md5|sha1|sha224|sha256|sha384|sha512)sums?(?:\.txt)?|checksums?\.(md5|sha1|sha224|sha256|sha384|sha512))$/i;

/** The algorithm of a checksum list by its name, such as `SHA256SUMS`, `md5sums.txt` or `checksum.sha1`. */
export function algorithmOfList(name: string): Algorithm | undefined {
  const match = listName.exec(name);
  return match ? algorithmOf(match[1] ?? match[2] ?? '') : undefined;
}

/** How the names in a list are written: escaped by coreutils, or by BagIt's `%0A`, `%0D` and `%25`. */
export type ListDialect = 'coreutils' | 'bagit';

/** Reads lines of `<digest>  <path>` into the declarations. */
export function readChecksumList(
  into: Declarations,
  { name, text, algorithm }: { readonly name: string; readonly text: string; readonly algorithm: Algorithm },
  dialect: ListDialect,
): void {
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (line.trim() === '') continue;
    const match = /^(\\?)([0-9A-Fa-f]+)(?:[ \t]+\*?)(.+)$/.exec(line);
    const path = match && pathOf(match[3] ?? '', match[1] === '\\', dialect);
    const digest = match?.[2] ?? '';
    if (!path || !isInside(path) || !isDigest(digest, algorithm)) {
      into.invalid(name, `line ${String(index + 1)} is not "<${algorithm}>  <path inside the dataset>"`);
      return;
    }
    into.addChecksum(path, algorithm, digest, name);
  }
}

function pathOf(written: string, escaped: boolean, dialect: ListDialect): string {
  const bare = written.replace(/^\.\//, '');
  if (dialect === 'bagit') {
    return bare.replace(/%0A/gi, '\n').replace(/%0D/gi, '\r').replace(/%25/g, '%');
  }
  const meanings: Readonly<Record<string, string>> = { '\\\\': '\\', '\\n': '\n', '\\r': '\r' };
  return escaped ? bare.replace(/\\[\\nr]/g, (sequence) => meanings[sequence] ?? sequence) : bare;
}
