import { algorithms, digestBytes, type Algorithm } from './algorithms.js';

/** Lower-case hexadecimal digests of a file, by algorithm. */
export type Checksums = Readonly<Partial<Record<Algorithm, string>>>;

/** The declaration of one file. */
export interface DeclaredFile {
  readonly checksums: Checksums;
  /** Size in bytes, if declared. */
  readonly size?: number;
}

/** A declared file in memory. Digests are kept with one character for each byte. */
interface Entry extends Partial<Record<Algorithm, string>> {
  size: number | undefined;
  exists: boolean;
}

/** Bytes of memory for a file in addition to its path, and for a digest in addition to its bytes, as measured. */
const [fileBytes, digestOverhead] = [128, 24];

/** The files that descriptors declare. */
export class DeclaredFiles {
  private readonly entries = new Map<string, Entry>();
  private readonly used = new Set<Algorithm>();
  private estimate = 0;

  /** Estimated bytes of memory that the files take. */
  get bytes(): number {
    return this.estimate;
  }

  get count(): number {
    return this.entries.size;
  }

  /** The algorithms in use, sorted. */
  get algorithms(): Algorithm[] {
    return algorithms.filter((algorithm) => this.used.has(algorithm));
  }

  /** Adds a file without a checksum or size. */
  add(path: string): void {
    this.entryOf(path);
  }

  /** @returns whether the file has no other digest of that algorithm */
  addChecksum(path: string, algorithm: Algorithm, digest: string): boolean {
    const entry = this.entryOf(path);
    const bytes = Buffer.from(digest, 'hex').toString('latin1');
    if (entry[algorithm] !== undefined) return entry[algorithm] === bytes;
    entry[algorithm] = bytes;
    this.used.add(algorithm);
    this.estimate += digestOverhead + digestBytes[algorithm];
    return true;
  }

  addSize(path: string, size: number): void {
    this.entryOf(path).size = size;
  }

  get(path: string): DeclaredFile | undefined {
    const entry = this.entries.get(path);
    if (!entry) return undefined;
    const checksums: Partial<Record<Algorithm, string>> = {};
    for (const algorithm of this.used) {
      const digest = entry[algorithm];
      if (digest !== undefined) checksums[algorithm] = Buffer.from(digest, 'latin1').toString('hex');
    }
    return entry.size === undefined ? { checksums } : { checksums, size: entry.size };
  }

  /** Records that a file exists. @returns its declared size, or undefined if the file is not declared */
  markExisting(path: string): { readonly size: number | undefined } | undefined {
    const entry = this.entries.get(path);
    if (entry) entry.exists = true;
    return entry;
  }

  /** Returns the paths of the files that were not marked as existing. */
  *missing(): Generator<string> {
    for (const [path, { exists }] of this.entries) if (!exists) yield path;
  }

  private entryOf(path: string): Entry {
    const known = this.entries.get(path);
    if (known) return known;
    // A copy: the path may be a part of a long text, which V8 would keep with it.
    const bytes = Buffer.from(path);
    const entry: Entry = { size: undefined, exists: false };
    this.entries.set(bytes.toString(), entry);
    this.estimate += fileBytes + bytes.length;
    return entry;
  }
}
