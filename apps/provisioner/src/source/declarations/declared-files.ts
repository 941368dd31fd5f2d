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
  /** See `Target`. */
  looseNames: number;
  /** A bit for each manifest that lists the file, and `fetchedBit`. */
  listed: number;
}

/** Bytes of memory for a file in addition to its path, and for a digest in addition to its bytes, as measured. */
const [fileBytes, digestOverhead] = [144, 24];

/** Marks a file of `fetch.txt`. The bits of manifests are lower. */
const fetchedBit = 1 << 30;

/** A declared file that was not found. */
export interface MissingFile {
  readonly path: string;
  readonly looseNames: number;
  /** Whether `fetch.txt` lists the file. */
  readonly isFetched: boolean;
}

/** The files that descriptors declare. Paths that differ by Unicode form only are equal. */
export class DeclaredFiles {
  private readonly entries = new Map<string, Entry>();
  private readonly used = new Set<Algorithm>();
  private estimate = 0;
  private looseCount = 0;

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

  /** The number of existing files with a declared digest. */
  get existingWithDigest(): number {
    let count = 0;
    for (const entry of this.entries.values())
      if (entry.exists && algorithms.some((algorithm) => entry[algorithm] !== undefined)) count += 1;
    return count;
  }

  /** Whether a file can be declared by a part of its path. */
  get hasLoose(): boolean {
    return this.looseCount > 0;
  }

  /** Adds a file without a checksum or size. */
  add(path: string): void {
    this.entryOf(path, 0);
  }

  /** @returns whether the file has no other digest of that algorithm */
  addChecksum(path: string, algorithm: Algorithm, digest: string, looseNames = 0): boolean {
    return this.addDigest(this.entryOf(path, looseNames), algorithm, Buffer.from(digest, 'hex').toString('latin1'));
  }

  addSize(path: string, size: number): void {
    this.entryOf(path, 0).size = size;
  }

  /** Records that a manifest lists a file. */
  addManifest(path: string, bit: number): void {
    this.entryOf(path, 0).listed |= bit;
  }

  /** Adds a file of `fetch.txt`. */
  addFetched(path: string): void {
    this.entryOf(path, 0).listed |= fetchedBit;
  }

  /** Whether a manifest lists a file. */
  isListed(path: string, bit: number): boolean {
    return ((this.find(path)?.listed ?? 0) & bit) !== 0;
  }

  get(path: string): DeclaredFile | undefined {
    const entry = this.find(path);
    if (!entry) return undefined;
    const checksums: Partial<Record<Algorithm, string>> = {};
    for (const algorithm of this.used) {
      const digest = entry[algorithm];
      if (digest !== undefined) checksums[algorithm] = Buffer.from(digest, 'latin1').toString('hex');
    }
    return entry.size === undefined ? { checksums } : { checksums, size: entry.size };
  }

  /** Records that a file exists. @returns its declaration, or undefined if the file is not declared */
  markExisting(path: string): { readonly size: number | undefined; readonly listed: number } | undefined {
    const entry = this.find(path);
    if (entry) entry.exists = true;
    return entry;
  }

  /**
   * Assigns the digests of a missing declared file to an existing file.
   *
   * @returns whether the existing file has no other digest; if it has one, nothing changes
   */
  assign(missing: string, existing: string): boolean {
    const from = this.find(missing);
    const found = this.entryOf(existing, 0);
    found.exists = true;
    if (!from) return true;
    const declared = algorithms.flatMap((algorithm) => {
      const digest = from[algorithm];
      return digest === undefined ? [] : [{ algorithm, digest }];
    });
    if (declared.some(({ algorithm, digest }) => (found[algorithm] ?? digest) !== digest)) return false;
    for (const { algorithm, digest } of declared) this.addDigest(found, algorithm, digest);
    this.entries.delete(keyOf(missing));
    return true;
  }

  /** Returns the files that were not marked as existing. */
  *missing(): Generator<MissingFile> {
    for (const [path, { exists, looseNames, listed }] of this.entries)
      if (!exists) yield { path, looseNames, isFetched: (listed & fetchedBit) !== 0 };
  }

  private addDigest(entry: Entry, algorithm: Algorithm, bytes: string): boolean {
    if (entry[algorithm] !== undefined) return entry[algorithm] === bytes;
    entry[algorithm] = bytes;
    this.used.add(algorithm);
    this.estimate += digestOverhead + digestBytes[algorithm];
    return true;
  }

  private find(path: string): Entry | undefined {
    return this.entries.get(keyOf(path));
  }

  private entryOf(path: string, looseNames: number): Entry {
    const known = this.find(path);
    if (known) {
      known.looseNames = Math.min(known.looseNames, looseNames);
      return known;
    }
    // A copy: the path may be a part of a long text, which V8 would keep with it.
    const bytes = Buffer.from(keyOf(path));
    const entry: Entry = { size: undefined, exists: false, looseNames, listed: 0 };
    this.entries.set(bytes.toString(), entry);
    this.estimate += fileBytes + bytes.length;
    if (looseNames > 0) this.looseCount += 1;
    return entry;
  }
}

/** Returns the key of a path. A place contains no two files whose names differ by Unicode form only. */
function keyOf(path: string): string {
  return path.normalize('NFC');
}
