import { algorithmOf, isDigest, type Algorithm } from './algorithms.js';
import { isInside, type Declarations } from './declarations.js';
import type { DescriptorReader } from './descriptor-reader.js';
import { DescriptorError } from './json-document.js';
import { LineSplitter, maxLineLength } from './lines.js';

const listName =
  /^(?:(md5|sha1|sha224|sha256|sha384|sha512)sums?(?:\.txt)?|checksums?\.(md5|sha1|sha224|sha256|sha384|sha512))$/i;

/** The algorithm of a checksum list by its name, such as `SHA256SUMS`, `md5sums.txt` or `checksum.sha1`. */
export function algorithmOfList(name: string): Algorithm | undefined {
  const match = listName.exec(name);
  return match ? algorithmOf(match[1] ?? match[2] ?? '') : undefined;
}

/** A checksum list by its name, which tells how it is read. */
export interface ChecksumList {
  readonly name: string;
  readonly algorithm: Algorithm;
  readonly dialect: ListDialect;
}

/** How the names in a list are written: escaped by coreutils, or by BagIt's `%0A`, `%0D` and `%25`. */
export type ListDialect = 'coreutils' | 'bagit';

/** Reads lines of `<digest>  <path>` into the declarations. */
export class ChecksumListReader implements DescriptorReader {
  private readonly into: Declarations;
  private readonly list: ChecksumList;
  private readonly lines = new LineSplitter();
  private number = 0;

  constructor(into: Declarations, list: ChecksumList) {
    this.into = into;
    this.list = list;
  }

  write(bytes: Uint8Array): void {
    for (const lines of this.lines.next(bytes)) this.take(lines);
  }

  end(): void {
    this.take(this.lines.last());
  }

  /** @throws DescriptorError naming the first line that is none of such a list */
  private take(lines: readonly string[]): void {
    const { name, algorithm, dialect } = this.list;
    for (const line of lines) {
      this.number += 1;
      if (line.length <= maxLineLength && line.trim() === '') continue;
      const said = line.length > maxLineLength ? null : sayingOf(line, algorithm, dialect);
      if (!said)
        throw new DescriptorError(`line ${String(this.number)} is not "<${algorithm}>  <path inside the dataset>"`);
      this.into.addChecksum(said.path, algorithm, said.digest, name);
    }
  }
}

/** Returns the path and digest of a line; null if the line is none of such a list. */
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
