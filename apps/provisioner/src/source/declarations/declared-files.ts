import { algorithms, digestBytes, type Algorithm } from './algorithms.js';
import { EntriesInMemory, type DeclaredEntries, type Entry } from './declared-entries.js';
import { StoredEntries } from './stored-entries.js';

/** Lower-case hexadecimal digests of a file, by algorithm. */
export type Checksums = Readonly<Partial<Record<Algorithm, string>>>;

/** The declaration of one file. */
export interface DeclaredFile {
  readonly checksums: Checksums;
  /** Size in bytes, if declared. */
  readonly size?: number;
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

/**
 * The files that descriptors declare. Paths that differ by Unicode form only are equal. If the files exceed the memory for
 * them, they are moved to a temporary file.
 */
export class DeclaredFiles {
  private readonly maxBytes: number;
  private entries: DeclaredEntries = new EntriesInMemory();
  private readonly used = new Set<Algorithm>();
  private estimate = 0;
  private looseCount = 0;
  private existing = 0;
  private compared = 0;

  /** @param maxBytes estimated bytes of memory that the files may take */
  constructor(maxBytes = Number.POSITIVE_INFINITY) {
    this.maxBytes = maxBytes;
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
    return this.compared;
  }

  /** The number of declared files that were not marked as existing. */
  get missingCount(): number {
    return this.count - this.existing;
  }

  /** Whether a file can be declared by a part of its path. */
  get hasLoose(): boolean {
    return this.looseCount > 0;
  }

  /** Adds a file without a checksum or size. @throws DescriptorError if the temporary file cannot be written */
  add(path: string): void {
    this.change(path, () => undefined);
  }

  /**
   * @returns whether the file has no other digest of that algorithm
   * @throws DescriptorError if the temporary file cannot be written
   */
  addChecksum(path: string, algorithm: Algorithm, digest: string, looseNames = 0): boolean {
    const bytes = Buffer.from(digest, 'hex').toString('latin1');
    return this.change(path, (entry) => this.addDigest(entry, algorithm, bytes), looseNames);
  }

  addSize(path: string, size: number): void {
    this.change(path, (entry) => {
      entry.size = size;
    });
  }

  /** Records that a manifest lists a file. */
  addManifest(path: string, bit: number): void {
    this.change(path, (entry) => {
      entry.listed |= bit;
    });
  }

  /** Adds a file of `fetch.txt`. */
  addFetched(path: string): void {
    this.addManifest(path, fetchedBit);
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
    const key = keyOf(path);
    const entry = this.entries.get(key);
    if (!entry || entry.exists) return entry;
    this.entries.markExisting(key, entry);
    this.countExisting(entry, 1);
    return entry;
  }

  /**
   * Assigns the digests of a missing declared file to an existing file.
   *
   * @returns whether the existing file has no other digest; if it has one, nothing changes
   */
  assign(missing: string, existing: string): boolean {
    const from = this.find(missing);
    const declared = algorithms.flatMap((algorithm) => {
      const digest = from?.[algorithm];
      return digest === undefined ? [] : [{ algorithm, digest }];
    });
    const isAssigned = this.change(existing, (found) => {
      if (found.exists) this.countExisting(found, -1);
      found.exists = true;
      const isFree = declared.every(({ algorithm, digest }) => (found[algorithm] ?? digest) === digest);
      if (isFree) for (const { algorithm, digest } of declared) this.addDigest(found, algorithm, digest);
      this.countExisting(found, 1);
      return isFree;
    });
    if (isAssigned && from) this.entries.delete(keyOf(missing));
    return isAssigned;
  }

  /** Returns the files that were not marked as existing. No file may be changed during the iteration. */
  *missing(): Generator<MissingFile> {
    if (this.missingCount === 0) return;
    for (const [path, { exists, looseNames, listed }] of this.entries)
      if (!exists) yield { path, looseNames, isFetched: (listed & fetchedBit) !== 0 };
  }

  /** Frees the memory of the files, or the temporary file. */
  close(): void {
    this.entries.close();
  }

  private countExisting(entry: Entry, step: 1 | -1): void {
    this.existing += step;
    if (algorithms.some((algorithm) => entry[algorithm] !== undefined)) this.compared += step;
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

  /** Changes the entry of a file, which is added if it is new. @returns the result of the change */
  private change<T>(path: string, apply: (entry: Entry) => T, looseNames = 0): T {
    const key = keyOf(path);
    const known = this.entries.get(key);
    const entry = known ?? { size: undefined, exists: false, looseNames, listed: 0 };
    entry.looseNames = Math.min(entry.looseNames, looseNames);
    const result = apply(entry);
    if (known) this.entries.set(key, known);
    else this.insert(key, entry);
    return result;
  }

  private insert(key: string, entry: Entry): void {
    // A copy: the path may be a part of a long text, which V8 would keep with it.
    const bytes = Buffer.from(key);
    this.entries.set(bytes.toString(), entry);
    this.estimate += fileBytes + bytes.length;
    if (entry.looseNames > 0) this.looseCount += 1;
    if (this.estimate > this.maxBytes && this.entries instanceof EntriesInMemory) this.store();
  }

  private store(): void {
    const stored = new StoredEntries();
    try {
      for (const [key, entry] of this.entries) stored.set(key, entry);
    } catch (error) {
      stored.close();
      throw error;
    }
    this.entries.close();
    this.entries = stored;
  }
}

/** Returns the key of a path. A place contains no two files whose names differ by Unicode form only. */
function keyOf(path: string): string {
  return path.normalize('NFC');
}
