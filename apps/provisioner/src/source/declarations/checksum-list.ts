import { algorithmOf, isDigest, type Algorithm } from './algorithms.js';
import { isInside, type Declarations } from './declarations.js';
import type { DescriptorReader } from './descriptor-reader.js';
import { DescriptorError } from './json-document.js';
import { LineSplitter, maxLineLength } from './lines.js';

const listName =
  /^(?:(md5|sha1|sha224|sha256|sha384|sha512)sums?(?:\.txt)?|checksums?\.(md5|sha1|sha224|sha256|sha384|sha512))$/i;

/** Returns the algorithm of a checksum list by its name, such as `SHA256SUMS`, `md5sums.txt` or `checksum.sha1`. */
export function algorithmOfList(name: string): Algorithm | undefined {
  const match = listName.exec(name);
  return match ? algorithmOf(match[1] ?? match[2] ?? '') : undefined;
}

/** The name and format of a checksum list. */
export interface ChecksumList {
  readonly name: string;
  readonly algorithm: Algorithm;
  readonly dialect: ListDialect;
}

/** The escapes of the paths in a list: those of coreutils, or BagIt's `%0A`, `%0D` and `%25`. */
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
    for (const lines of this.lines.next(bytes)) this.addLines(lines);
  }

  end(): void {
    this.addLines(this.lines.last());
  }

  /** @throws DescriptorError for the first invalid line */
  private addLines(lines: readonly string[]): void {
    const { name, algorithm, dialect } = this.list;
    for (const line of lines) {
      this.number += 1;
      if (line.length <= maxLineLength && line.trim() === '') continue;
      const entry = line.length > maxLineLength ? null : parseLine(line, algorithm, dialect);
      if (!entry)
        throw new DescriptorError(`line ${String(this.number)} must be "<${algorithm}>  <path inside the dataset>"`);
      this.into.addChecksum(entry.path, algorithm, entry.digest, name);
    }
  }
}

/** Returns the path and digest of a line; null if the line is invalid. */
function parseLine(
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
