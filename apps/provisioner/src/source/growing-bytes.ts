/** What they may come to; only what was written to takes memory. */
const maxBytes = 1024 * 1024 * 1024;

/** Up to so many are simply allocated: many small datasets cost less that way. */
const smallBytes = 64 * 1024;

const firstBytes = 256;

/** Memory that grows where it is. */
interface Growable extends ArrayBuffer {
  readonly resizable: boolean;
  resize(bytes: number): void;
}

const GrowableBuffer = ArrayBuffer as unknown as new (bytes: number, options: { maxByteLength: number }) => Growable;

/**
 * Bytes that grow without room to spare. The machine has them back as soon as they are released, which it has not of
 * what is allocated piece by piece.
 */
export class GrowingBytes {
  private bytes: Buffer = Buffer.alloc(0);
  private memory: Growable | undefined;

  /** @param former what `detach` returned in another thread */
  constructor(former?: ArrayBuffer) {
    if (!former) return;
    this.bytes = Buffer.from(former);
    if ((former as Growable).resizable) this.memory = former as Growable;
  }

  /** Returns the memory, to be transferred to another thread. Afterwards, these bytes must not be used here. */
  detach(): ArrayBuffer {
    return this.memory ?? (this.bytes.buffer as ArrayBuffer);
  }

  /** So many of them at least; zeros where nothing was written. */
  reach(length: number): Buffer {
    if (length > this.bytes.length) this.grow(Math.max(length, firstBytes, Math.min(2 * this.bytes.length, maxBytes)));
    return this.bytes;
  }

  /** The row of an index, where there are rows of so many bytes only. */
  row(index: number, rowBytes: number): Buffer {
    const from = index * rowBytes;
    return this.reach(from + rowBytes).subarray(from, from + rowBytes);
  }

  /** Gives the memory back at once; harmless when repeated. Nothing may be asked of it any more. */
  release(): void {
    if (this.memory) release(this.memory);
  }

  private grow(length: number): void {
    const [former, wasSmall] = [this.bytes, this.memory === undefined];
    if (length > smallBytes) {
      this.memory ??= new GrowableBuffer(0, { maxByteLength: maxBytes });
      this.memory.resize(length);
    }
    this.bytes = this.memory ? Buffer.from(this.memory) : Buffer.alloc(length);
    if (wasSmall) former.copy(this.bytes);
  }
}

/** What a newer V8 can do. */
interface Detachable extends ArrayBuffer {
  readonly detached?: boolean;
  transferToFixedLength?(bytes: number): ArrayBuffer;
}

/**
 * Gives memory that must not be used any more back at once, and not only when V8 looks for garbage; harmless when
 * repeated. Node 20, which may build and test but not run a service, leaves that to V8.
 */
export function release(memory: Detachable): void {
  if (memory.detached === false) memory.transferToFixedLength?.(0);
}
