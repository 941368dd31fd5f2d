import type { DescriptorReader } from './descriptor-reader.js';

/** A reader of a small descriptor, whose whole content is in memory. */
export abstract class WholeDescriptorReader implements DescriptorReader {
  private readonly pieces: Uint8Array[] = [];

  write(bytes: Uint8Array): void {
    this.pieces.push(bytes);
  }

  end(): void {
    this.read(Buffer.concat(this.pieces));
  }

  /** @throws DescriptorError if the descriptor cannot be used */
  protected abstract read(content: Buffer): void;
}
