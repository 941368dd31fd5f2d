import { randomInt } from 'node:crypto';
import { mixed } from './fnv.js';
import { release } from './growing-bytes.js';
import type { PackedNames } from './packed-names.js';

const firstSlots = 16;
const leastSlotsPerName = 1.5;
const [upperA, upperZ, firstBeyondAscii] = [0x41, 0x5a, 0x80];

/** Finds names of one folder that differ by case or Unicode form only. It keeps four to twelve bytes for each. */
export class Spellings {
  /** An index and 1, or 0, in the first free place from where its hash says. */
  private slots: Uint32Array<ArrayBuffer>;
  private count = 0;
  /** Nobody who names a file can know what it will collide with. */
  private readonly salt = randomInt(2 ** 32);

  /** @param names in which the folder's names are kept, as bytes of UTF-8 */
  constructor(private readonly names: PackedNames) {
    let slots = firstSlots;
    while (isFull(slots, names.count)) slots *= 2;
    this.slots = new Uint32Array(slots);
  }

  /** The last name before this one that is spelled the same but for case and Unicode form, if there is one. */
  twinOf(index: number): string | undefined {
    if (isFull(this.slots.length, this.count + 1)) this.grow();
    const hash = this.hashOf(index);
    for (let slot = this.slotOf(hash); ; slot = this.slotOf(slot + 1)) {
      const other = (this.slots[slot] ?? 0) - 1;
      if (other >= 0 && (this.hashOf(other) !== hash || this.folded(other) !== this.folded(index))) continue;
      this.slots[slot] = index + 1;
      if (other >= 0) return textOf(this.names.at(other));
      this.count += 1;
      return undefined;
    }
  }

  /** Gives its memory back at once. Nothing may be asked of it any more. */
  release(): void {
    release(this.slots.buffer);
  }

  private grow(): void {
    const { slots } = this;
    this.slots = new Uint32Array(slots.length * 2);
    for (const taken of slots) {
      if (taken === 0) continue;
      let slot = this.slotOf(this.hashOf(taken - 1));
      while (this.slots[slot] !== 0) slot = this.slotOf(slot + 1);
      this.slots[slot] = taken;
    }
    release(slots.buffer);
  }

  private slotOf(hash: number): number {
    return hash & (this.slots.length - 1);
  }

  /** Of what is the same for all spellings. Most names are ASCII: their bytes are looked at where they are. */
  private hashOf(index: number): number {
    let hash = this.salt;
    for (let at = 0, byte = this.names.byteOf(index, 0); byte >= 0; byte = this.names.byteOf(index, ++at)) {
      if (byte >= firstBeyondAscii) return this.hashOfText(this.folded(index));
      hash = mixed(hash, byte >= upperA && byte <= upperZ ? byte | 0x20 : byte);
    }
    return hash ^ (hash >>> 15);
  }

  private hashOfText(text: string): number {
    let hash = this.salt;
    for (let at = 0; at < text.length; at += 1) hash = mixed(hash, text.charCodeAt(at));
    return hash ^ (hash >>> 15);
  }

  private folded(index: number): string {
    return textOf(this.names.at(index)).normalize('NFC').toLowerCase();
  }
}

function isFull(slots: number, names: number): boolean {
  return names * leastSlotsPerName > slots;
}

/** A name as text; one that is not UTF-8 as well as it goes. In ASCII the two are the same. */
export function textOf(bytes: string): string {
  return /[\u0080-\u00ff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes;
}
