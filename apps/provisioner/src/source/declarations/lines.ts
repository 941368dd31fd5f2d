import { TextDecoder } from 'node:util';
import type { DescriptorReader } from './descriptor-reader.js';
import { DescriptorError } from './json-document.js';

/** The longest valid line: a digest, and a path of 4096 bytes of which each is escaped. */
export const maxLineLength = 16 * 1024;

/** Bytes that are decoded together. V8 keeps texts of this size in the young generation. */
const pieceBytes = 64 * 1024;

/**
 * Returns the decoder of a text. A byte order mark selects between the encodings of Unicode.
 *
 * @param encoding the stated encoding, which `isEncoding` accepts; undefined for UTF-8
 * @param head the first two bytes of the text
 */
function decoderOf(encoding: string | undefined, head: Uint8Array): TextDecoder {
  const [one, two] = head;
  const isUtf16 = encoding === 'utf-16';
  if (isUtf16 || encoding === undefined) {
    if (one === 0xff && two === 0xfe) return new TextDecoder('utf-16le');
    // By RFC 2781, UTF-16 without a byte order mark is big-endian.
    if ((one === 0xfe && two === 0xff) || isUtf16) return new TextDecoder('utf-16be');
  }
  return new TextDecoder(encoding);
}

/** Whether texts of an encoding can be decoded. @param encoding in lower case */
export function isEncoding(encoding: string): boolean {
  try {
    new TextDecoder(encoding);
    return true;
  } catch {
    return false;
  }
}

/** Returns the text of bytes. @param encoding see `decoderOf` */
export function textOf(bytes: Uint8Array, encoding?: string): string {
  return decoderOf(encoding, bytes).decode(bytes);
}

/**
 * A splitter of text into lines, in pieces. It accepts a byte order mark and any line ends. If a line is too long, the
 * splitter returns a beginning that is too long as well, and nothing after that.
 */
export class LineSplitter {
  private readonly encoding: string | undefined;
  private decoder: TextDecoder | null = null;
  /** The first byte, while it is the only one. */
  private head: Uint8Array = new Uint8Array();
  private rest = '';
  private isOver = false;

  /** @param encoding the encoding of the text in lower case; undefined for UTF-8, or UTF-16 with a byte order mark */
  constructor(encoding?: string) {
    this.encoding = encoding;
  }

  /** Returns the lines that the bytes complete, in groups. */
  *next(more: Uint8Array): Generator<readonly string[]> {
    const bytes = this.decoder ? more : Buffer.concat([this.head, more]);
    if (!this.decoder && bytes.length < 2) {
      this.head = bytes;
      return;
    }
    this.decoder ??= decoderOf(this.encoding, bytes);
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
    const rest = this.decoder ? this.rest + this.decoder.decode() : textOf(this.head, this.encoding);
    return this.isOver ? [] : rest.split('\r');
  }
}

/** Reads a descriptor line by line. Blank lines are skipped. */
export class LineReader implements DescriptorReader {
  private readonly splitter: LineSplitter;
  private readonly onLine: (line: string) => string | null;
  private number = 0;

  /** @param onLine receives each line, and returns the required form of the line if the line is invalid */
  constructor(onLine: (line: string) => string | null, encoding?: string) {
    this.splitter = new LineSplitter(encoding);
    this.onLine = onLine;
  }

  write(bytes: Uint8Array): void {
    for (const lines of this.splitter.next(bytes)) this.addLines(lines);
  }

  end(): void {
    this.addLines(this.splitter.last());
  }

  /** @throws DescriptorError for the first invalid line */
  private addLines(lines: readonly string[]): void {
    for (const line of lines) {
      this.number += 1;
      if (line.length > maxLineLength) this.refuse(`at most ${String(maxLineLength)} characters long`);
      if (line.trim() === '') continue;
      const required = this.onLine(line);
      if (required !== null) this.refuse(required);
    }
  }

  private refuse(required: string): never {
    throw new DescriptorError(`line ${String(this.number)} must be ${required}`);
  }
}
