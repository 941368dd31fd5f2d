import { GrowingBytes } from '../growing-bytes.js';
import { PackedPaths, type DetachedPaths } from '../packed-paths.js';
import { algorithms, digestBytes, type Algorithm } from './algorithms.js';

/** What the source says of one file. */
export interface DeclaredFile {
  /** Lower-case hexadecimal digests by algorithm. */
  readonly checksums: Partial<Record<Algorithm, string>>;
  /** Size in bytes, where the descriptor tells it. */
  readonly size?: number;
}

/** What is known of a file: a bit for each algorithm, and these. */
const sizeBit = 1 << algorithms.length;
const seenBit = sizeBit << 1;

const sizeBytes = 8;

/** Declared files on their way from one thread to another. */
export interface DetachedFiles {
  readonly paths: DetachedPaths;
  readonly known: ArrayBuffer;
  readonly sizes: ArrayBuffer;
  readonly digests: readonly (readonly [Algorithm, ArrayBuffer])[];
}

/** Returns the memory to list as transferred, each piece once. */
export function memoryOf({ paths, known, sizes, digests }: DetachedFiles): ArrayBuffer[] {
  return [paths.packed, paths.groups, paths.slots, known, sizes, ...digests.map(([, memory]) => memory)];
}

/** The files that descriptors name, as bytes: some 20 for each, and those of its digests. */
export class DeclaredFiles {
  private readonly paths: PackedPaths;
  private readonly known: GrowingBytes;
  private readonly sizes: GrowingBytes;
  private readonly digests: Map<Algorithm, GrowingBytes>;

  /** @param former what `detach` returned in another thread; nothing can be added to those */
  constructor(former?: DetachedFiles) {
    this.paths = new PackedPaths(former?.paths);
    this.known = new GrowingBytes(former?.known);
    this.sizes = new GrowingBytes(former?.sizes);
    this.digests = new Map(former?.digests.map(([algorithm, memory]) => [algorithm, new GrowingBytes(memory)]));
  }

  /** Bytes of memory that the files take. */
  get bytes(): number {
    const widths = [...this.digests.keys()].map((algorithm) => digestBytes[algorithm]);
    return this.paths.bytes + this.count * widths.reduce((sum, width) => sum + width, 1 + sizeBytes);
  }

  /** Returns the memory of the files, to be transferred to another thread. Afterwards, they must not be used here. */
  detach(): DetachedFiles {
    return {
      paths: this.paths.detach(),
      known: this.known.detach(),
      sizes: this.sizes.detach(),
      digests: [...this.digests].map(([algorithm, memory]) => [algorithm, memory.detach()]),
    };
  }

  get count(): number {
    return this.paths.count;
  }

  /** The algorithms in use, sorted. May be asked for after `release` too. */
  get algorithms(): Algorithm[] {
    return algorithms.filter((algorithm) => this.digests.has(algorithm));
  }

  /** Adds a file of which nothing else need be known. */
  add(path: string): void {
    this.paths.add(path);
  }

  /** @returns whether no other digest of that algorithm was known */
  addChecksum(path: string, algorithm: Algorithm, digest: string): boolean {
    const index = this.paths.add(path);
    const isKnown = this.note(index, bitOf(algorithm));
    const digests = this.digests.get(algorithm) ?? new GrowingBytes();
    this.digests.set(algorithm, digests);
    const row = digests.row(index, digestBytes[algorithm]);
    const isOther = isKnown && row.toString('hex') !== digest.toLowerCase();
    row.write(digest, 'hex');
    return !isOther;
  }

  addSize(path: string, size: number): void {
    const index = this.paths.add(path);
    this.note(index, sizeBit);
    this.sizes.row(index, sizeBytes).writeDoubleLE(size);
  }

  get(path: string): DeclaredFile | undefined {
    const index = this.paths.indexOf(path);
    if (index < 0) return undefined;
    const known = this.bitsOf(index);
    const checksums: Partial<Record<Algorithm, string>> = {};
    for (const [algorithm, digests] of this.digests)
      if (known & bitOf(algorithm)) checksums[algorithm] = digests.row(index, digestBytes[algorithm]).toString('hex');
    return known & sizeBit ? { checksums, size: this.sizes.row(index, sizeBytes).readDoubleLE() } : { checksums };
  }

  /** The same of a file that is there, which is crossed off. */
  see(path: string): DeclaredFile | undefined {
    const index = this.paths.indexOf(path);
    if (index >= 0) this.note(index, seenBit);
    return this.get(path);
  }

  /** The paths that were not crossed off. */
  *unseen(): Generator<string> {
    for (let index = 0; index < this.count; index += 1) if (!(this.bitsOf(index) & seenBit)) yield this.paths.at(index);
  }

  /** Gives its memory back at once. Nothing may be asked of the files any more. */
  release(): void {
    for (const packed of [this.paths, this.known, this.sizes, ...this.digests.values()]) packed.release();
  }

  /** @returns whether it was noted before */
  private note(index: number, bit: number): boolean {
    const before = this.bitsOf(index);
    this.known.reach(index + 1)[index] = before | bit;
    return (before & bit) !== 0;
  }

  private bitsOf(index: number): number {
    return this.known.reach(index + 1)[index] ?? 0;
  }
}

function bitOf(algorithm: Algorithm): number {
  return 1 << algorithms.indexOf(algorithm);
}
