import { GrowingBytes, release } from './growing-bytes.js';

/** Past the end of a name: sorts before every byte. */
const end = -1;

/** Names that are compared in one turn of the event loop: some milliseconds, unless there are more in one comparison. */
const looksPerTurn = 100_000;

const wordBytes = Uint32Array.BYTES_PER_ELEMENT;

/**
 * Names of one folder, a character for each byte, kept one after the other: a million take some 20 MB, a fifth of what
 * they take as texts.
 */
export class PackedNames {
  count = 0;
  private readonly memory = { bytes: new GrowingBytes(), starts: new GrowingBytes() };
  private bytes = this.memory.bytes.reach(0);
  /** Where each begins, and after the last where that ends. */
  private starts = wordsOf(this.memory.starts.reach(wordBytes));
  private order = new Uint32Array();

  /** @returns the index by which it is found */
  add(name: string): number {
    const from = this.starts[this.count] ?? 0;
    const to = from + name.length;
    if (to > this.bytes.length) this.bytes = this.memory.bytes.reach(to);
    // Byte by byte takes V8 ten times as long in memory that grows.
    this.bytes.write(name, from, 'latin1');
    this.count += 1;
    if (this.count === this.starts.length)
      this.starts = wordsOf(this.memory.starts.reach((this.count + 1) * wordBytes));
    this.starts[this.count] = to;
    return this.count - 1;
  }

  at(index: number): string {
    return this.bytes.toString('latin1', this.starts[index], this.starts[index + 1]);
  }

  /** The byte of a name at a place in it; below 0 behind its end. */
  byteOf(index: number, place: number): number {
    const at = (this.starts[index] ?? 0) + place;
    return at < (this.starts[index + 1] ?? 0) ? (this.bytes[at] ?? end) : end;
  }

  /**
   * Returns the indices of all names in the order of their bytes, after any number of pauses in which the event loop may
   * turn.
   *
   * A quicksort that splits by one byte at a time: texts would have to be made for any other, and names of one folder
   * begin alike.
   */
  *sorted(): Generator<null, Uint32Array> {
    const order = new Uint32Array(this.count);
    this.order = order;
    for (let index = 0; index < order.length; index += 1) order[index] = index;
    const unsorted = [0, order.length, 0];
    for (let looked = 0; unsorted.length > 0;) {
      const place = unsorted.pop() ?? 0;
      const to = unsorted.pop() ?? 0;
      const from = unsorted.pop() ?? 0;
      if (to - from < 2) continue;
      looked += to - from;
      if (looked > looksPerTurn) {
        looked = 0;
        yield null;
      }
      const pivot = this.byteOf(order[(from + to) >>> 1] ?? 0, place);
      let [less, at, greater] = [from, from, to];
      while (at < greater) {
        const name = order[at] ?? 0;
        const byte = this.byteOf(name, place);
        if (byte < pivot) {
          order[at] = order[less] ?? 0;
          order[less] = name;
          less += 1;
          at += 1;
        } else if (byte > pivot) {
          greater -= 1;
          order[at] = order[greater] ?? 0;
          order[greater] = name;
        } else at += 1;
      }
      unsorted.push(from, less, place, greater, to, place);
      if (pivot !== end) unsorted.push(less, greater, place + 1);
    }
    return order;
  }

  /** Gives its memory back at once, that of `sorted` too. Nothing may be asked of it any more. */
  release(): void {
    for (const each of Object.values(this.memory)) each.release();
    release(this.order.buffer);
  }
}

function wordsOf({ buffer, byteOffset, length }: Buffer): Uint32Array {
  return new Uint32Array(buffer, byteOffset, length / wordBytes);
}
