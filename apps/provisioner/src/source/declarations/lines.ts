/** The longest valid line: a digest, and a path of 4096 bytes of which each is escaped. */
export const maxLineLength = 16 * 1024;

/** Bytes that are decoded together. V8 keeps texts of this size in the young generation. */
const pieceBytes = 64 * 1024;

/**
 * A splitter of UTF-8 text into lines, in pieces. It accepts a byte order mark and any line ends. If a line is too long, the
 * splitter returns a beginning that is too long as well, and nothing after that.
 */
export class LineSplitter {
  private readonly decoder = new TextDecoder();
  private rest = '';
  private isOver = false;

  /** Returns the lines that the bytes complete, in groups. */
  *next(bytes: Uint8Array): Generator<readonly string[]> {
    for (let at = 0; at < bytes.length && !this.isOver; at += pieceBytes) {
      this.rest += this.decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true });
      // A carriage return at the end may be the first half of a line end.
      const lines = this.rest.split(/\r\n|\n|\r(?!$)/);
      this.rest = lines.pop() ?? '';
      this.isOver = this.rest.length > maxLineLength;
      yield this.isOver ? [...lines, this.rest] : lines;
    }
  }

  /** Returns the remaining lines. To be called after the last bytes. */
  last(): readonly string[] {
    return this.isOver ? [] : (this.rest + this.decoder.decode()).split('\r');
  }
}
