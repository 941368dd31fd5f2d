import type { Declarations } from '../declarations.js';
import type { DescriptorReader } from '../descriptor-reader.js';
import { LineReader } from '../lines.js';
import { parseListLine, type ListLine } from './list-line.js';
import type { ListName } from './list-names.js';
import type { ListScope, Resolved } from './list-scope.js';

/** A checksum list: its path, the meaning of its name, and the files that its lines can declare. */
export interface ChecksumList extends ListName {
  readonly path: string;
  readonly scope: ListScope;
}

/** The lines of a list that are not compared, by reason. */
const reasons = {
  self: 'declare the list itself',
  unsupported: 'have an algorithm that is not supported',
  unknown: 'state neither a document of the submission nor the folder of a dataset',
} as const;

/** Reads the lines of a checksum list into the declarations. */
export class ChecksumListReader implements DescriptorReader {
  private readonly into: Declarations;
  private readonly list: ChecksumList;
  private readonly lines: LineReader;
  private readonly skipped = { self: 0, unsupported: 0, unknown: 0 };
  private declared = 0;
  /** Whether the lines belong to the signature or to the header of a signed list. */
  private isSigning = false;

  constructor(into: Declarations, list: ChecksumList) {
    this.into = into;
    this.list = list;
    this.lines = new LineReader((line) => this.add(line));
  }

  write(bytes: Uint8Array): void {
    this.lines.write(bytes);
  }

  end(): void {
    this.lines.end();
    const { path } = this.list;
    let skipped = 0;
    for (const [reason, text] of Object.entries(reasons)) {
      const count = this.skipped[reason as keyof typeof reasons];
      if (count > 0) this.into.notCompared(path, `${String(count)} of its lines ${text}`);
      skipped += count;
    }
    if (this.declared + skipped === 0) this.into.notCompared(path, 'it contains no checksum');
  }

  /** Adds a line. @returns the required form of the line if the line is invalid */
  private add(line: string): string | null {
    if (this.isComment(line)) return null;
    const { algorithm, stem, path: own, scope } = this.list;
    const parsed = parseListLine(line, algorithm);
    if (parsed === 'unsupported') {
      this.skipped.unsupported += 1;
      return null;
    }
    const target = declaredIn(parsed, stem, scope);
    if (!parsed || target === 'outside') return `"<${algorithm ?? 'checksum'}>  <path inside the dataset>"`;
    if (target === 'elsewhere') this.declared += 1;
    else if (target === 'unknown') this.skipped.unknown += 1;
    else if (target.path === own) this.skipped.self += 1;
    else {
      this.declared += 1;
      this.into.addChecksum(target.path, parsed.algorithm, parsed.digest, own, target.looseNames);
    }
    return null;
  }

  /** Whether a line is a comment or a part of an OpenPGP signature. */
  private isComment(line: string): boolean {
    if (/^-----(?:BEGIN|END) PGP /.test(line)) {
      this.isSigning = line.startsWith('-----BEGIN PGP SIGNATURE');
      return true;
    }
    return this.isSigning || /^(?:[#;]|Hash: \S+$)/.test(line);
  }
}

/** Returns the file that a line declares. A line that ends with the name of the file next to the list declares this file. */
function declaredIn(line: ListLine | null, stem: string | null, scope: ListScope): Resolved {
  const path = line?.path ?? stem;
  if (path === null) return 'outside';
  return scope(stem !== null && path.endsWith(`/${stem}`) && path !== stem ? stem : path);
}
