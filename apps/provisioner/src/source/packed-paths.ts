import { randomInt } from 'node:crypto';
import { mixed } from './fnv.js';
import { GrowingBytes, release } from './growing-bytes.js';

/** Of so many paths the first is kept whole. */
const pathsPerGroup = 16;

const firstSlots = 32;
const leastSlotsPerPath = 1.25;
const slotGrowth = 1.25;

/** What one byte can say of how much a path shares with the one before. */
const maxShared = 0xff;
/** A length is written seven bits at a time, the highest bit of a byte saying that there are more. */
const [lengthBits, moreBit, maxLengthBytes] = [7, 0x80, 5];

/** Bytes that tell where a group begins. */
const groupBytes = 4;

/** Packed paths on their way from one thread to another. */
export interface DetachedPaths {
  readonly count: number;
  readonly end: number;
  readonly salt: number;
  readonly packed: ArrayBuffer;
  readonly groups: ArrayBuffer;
  readonly slots: ArrayBuffer;
}

/**
 * Paths that are found again, each kept as what differs from the one before. Where they come folder by folder, that and
 * what finds them takes some 20 bytes for each, however long they are.
 */
export class PackedPaths {
  count = 0;
  private readonly packed: GrowingBytes;
  private end = 0;
  /** Where each group begins, four bytes for each. */
  private readonly groups: GrowingBytes;
  private last: Buffer = Buffer.alloc(0);
  /** An index and 1, or 0, in the first free place from where the path's hash says. */
  private slots: Uint32Array<ArrayBuffer>;
  /** Makes the hashes unpredictable, so that a deliverer cannot choose names that collide. */
  private readonly salt: number;
  /** The path that was unpacked last: the next of its group differ from it. */
  private readonly open = { index: 0, bytes: Buffer.alloc(0), length: 0, next: 0 };

  /** @param former what `detach` returned in another thread; no path can be added to those */
  constructor(former?: DetachedPaths) {
    this.packed = new GrowingBytes(former?.packed);
    this.groups = new GrowingBytes(former?.groups);
    this.slots = former ? new Uint32Array(former.slots) : new Uint32Array(firstSlots);
    this.salt = former?.salt ?? randomInt(2 ** 32);
    this.count = former?.count ?? 0;
    this.end = former?.end ?? 0;
  }

  /** Bytes of memory that the paths take. */
  get bytes(): number {
    return this.end + this.slots.byteLength + (this.count / pathsPerGroup) * groupBytes;
  }

  /** Returns the memory of the paths, to be transferred to another thread. Afterwards, only `count` may be read here. */
  detach(): DetachedPaths {
    const { count, end, salt } = this;
    return { count, end, salt, packed: this.packed.detach(), groups: this.groups.detach(), slots: this.slots.buffer };
  }

  /** @returns the index by which it is found, also where it was there already */
  add(path: string): number {
    const wanted = Buffer.from(path);
    const slot = this.slotOf(wanted);
    const known = this.slots[slot] ?? 0;
    if (known > 0) return known - 1;
    this.pack(wanted);
    this.slots[slot] = this.count;
    if (this.count * leastSlotsPerPath > this.slots.length) this.grow();
    return this.count - 1;
  }

  /** @returns below 0 where it was never added */
  indexOf(path: string): number {
    if (this.count === 0) return -1;
    return (this.slots[this.slotOf(Buffer.from(path))] ?? 0) - 1;
  }

  at(index: number): string {
    return this.unpack(index).toString();
  }

  /** Gives its memory back at once. Nothing may be asked of it any more. */
  release(): void {
    this.packed.release();
    this.groups.release();
    release(this.slots.buffer);
  }

  private pack(path: Buffer): void {
    const isFirst = this.count % pathsPerGroup === 0;
    if (isFirst) this.groups.row(this.count / pathsPerGroup, groupBytes).writeUInt32LE(this.end);
    const shared = isFirst ? 0 : sharedBytes(this.last, path);
    const bytes = this.packed.reach(this.end + 1 + maxLengthBytes + path.length - shared);
    bytes[this.end++] = shared;
    let length = path.length - shared;
    for (; length >= moreBit; length >>>= lengthBits) bytes[this.end++] = (length & (moreBit - 1)) | moreBit;
    bytes[this.end++] = length;
    this.end += path.copy(bytes, this.end, shared);
    this.last = path;
    this.count += 1;
  }

  /** @returns bytes that are good until the next is unpacked */
  private unpack(index: number): Buffer {
    const { open } = this;
    const first = index - (index % pathsPerGroup);
    if (open.next === 0 || open.index < first || open.index > index) {
      open.index = first - 1;
      open.next = this.groups.row(first / pathsPerGroup, groupBytes).readUInt32LE();
    }
    for (; open.index < index; open.index += 1) this.unpackNext();
    return open.bytes.subarray(0, open.length);
  }

  private unpackNext(): void {
    const { open } = this;
    const bytes = this.packed.reach(this.end);
    const shared = bytes[open.next++] ?? 0;
    let length = 0;
    for (let byte = moreBit, shift = 0; byte >= moreBit; shift += lengthBits) {
      byte = bytes[open.next++] ?? 0;
      length |= (byte & (moreBit - 1)) << shift;
    }
    open.length = shared + length;
    if (open.length > open.bytes.length) open.bytes = Buffer.concat([open.bytes], open.length * 2);
    for (let at = shared; at < open.length; at += 1) open.bytes[at] = bytes[open.next++] ?? 0;
  }

  private grow(): void {
    const former = this.slots;
    this.slots = new Uint32Array(Math.ceil(former.length * slotGrowth));
    for (let index = 0; index < this.count; index += 1) {
      let slot = this.firstSlotOf(this.unpack(index));
      while (this.slots[slot] !== 0) slot = this.nextSlot(slot);
      this.slots[slot] = index + 1;
    }
    release(former.buffer);
  }

  /** The slot that has a path, or where it would go. */
  private slotOf(path: Buffer): number {
    let slot = this.firstSlotOf(path);
    for (let taken = this.slots[slot] ?? 0; taken > 0; taken = this.slots[slot] ?? 0) {
      if (this.unpack(taken - 1).equals(path)) break;
      slot = this.nextSlot(slot);
    }
    return slot;
  }

  private firstSlotOf(path: Buffer): number {
    let hash = this.salt;
    for (const byte of path) hash = mixed(hash, byte);
    return ((hash ^ (hash >>> 15)) >>> 0) % this.slots.length;
  }

  private nextSlot(slot: number): number {
    return slot + 1 === this.slots.length ? 0 : slot + 1;
  }
}

function sharedBytes(one: Buffer, other: Buffer): number {
  const most = Math.min(one.length, other.length, maxShared);
  let shared = 0;
  while (shared < most && one[shared] === other[shared]) shared += 1;
  return shared;
}
