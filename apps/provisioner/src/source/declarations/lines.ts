/** The longest line that can say anything: a digest, and a path of 4096 bytes of which each is escaped. */
export const maxLineLength = 16 * 1024;

/** Bytes that are decoded together: V8 keeps texts of this size among those that live shortly. */
const pieceBytes = 64 * 1024;

/**
 * Splits a text in UTF-8 into lines, piece by piece, without a byte order mark and whichever end the lines have. A line
 * that is too long is returned as a beginning that is too long as well, and is the last.
 */
export class LineSplitter {
  private readonly decoder = new TextDecoder();
  private rest = '';
  private isOver = false;

  /** Returns the lines that the bytes complete, some at a time. */
  *next(bytes: Uint8Array): Generator<readonly string[]> {
    for (let at = 0; at < bytes.length && !this.isOver; at += pieceBytes) {
      this.rest += this.decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true });
      // A carriage return at the end may be half of what ends a line.
      const lines = this.rest.split(/\r\n|\n|\r(?!$)/);
      this.rest = lines.pop() ?? '';
      this.isOver = this.rest.length > maxLineLength;
      yield this.isOver ? [...lines, this.rest] : lines;
    }
  }

  /** Returns the lines of the rest, after the last bytes. */
  last(): readonly string[] {
    return this.isOver ? [] : (this.rest + this.decoder.decode()).split('\r');
  }
}
