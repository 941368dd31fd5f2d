import { TimeSlice } from './time-slice.js';

/** Maximum nesting depth of JSON from a caller. */
const maxJsonDepth = 100;

/** Maximum number of values in JSON from a caller, including objects, arrays and literals. */
export const maxJsonValues = 100_000;

/** Number of bytes that are inspected in one step, which takes less than a millisecond. */
const pieceBytes = 64 * 1024;

/** The characters of JSON's structure. */
const [quote, backslash, letterU, comma] = [0x22, 0x5c, 0x75, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The properties of JSON that are determined before parsing. */
export interface JsonMeasure {
  /**
   * The exceeded limit as the end of a sentence, e.g. `must be nested at most 100 deep`; null if no limit is exceeded.
   */
  readonly excess: string | null;
  /** Whether a text has an escape such as `\u0041`. Only such an escape can produce NUL or half of a surrogate pair. */
  readonly hasUnicodeEscape: boolean;
}

/**
 * Measures JSON before it is parsed.
 *
 * The time grows with the number of bytes (16 MB take 50 ms), and other requests are answered between the steps.
 * `JSON.parse` of many small values would block the event loop for seconds. The function accepts bytes that are not
 * JSON, which the parser refuses.
 */
export async function measureJson(json: Uint8Array, maxValues = maxJsonValues): Promise<JsonMeasure> {
  const slice = new TimeSlice();
  const meter = new JsonMeter(maxValues);
  for (let at = 0; at < json.length && meter.excess === null; at += pieceBytes) {
    meter.push(json, at, Math.min(at + pieceBytes, json.length));
    if (slice.isSpent) await slice.next();
  }
  return meter;
}

/** Measures JSON in a text synchronously. */
export function measureJsonText(json: string): JsonMeasure {
  const bytes = Buffer.from(json);
  const meter = new JsonMeter(maxJsonValues);
  meter.push(bytes, 0, bytes.length);
  return meter;
}

/** A counter of the values and levels of JSON, which is passed to it in pieces. */
class JsonMeter implements JsonMeasure {
  hasUnicodeEscape = false;
  private inText = false;
  private isEscaped = false;
  private depth = 0;
  private deepest = 0;
  private values = 0;

  constructor(private readonly maxValues: number) {}

  get excess(): string | null {
    if (this.deepest > maxJsonDepth) return `must be nested at most ${String(maxJsonDepth)} deep`;
    return this.values > this.maxValues ? `must hold at most ${String(this.maxValues)} values` : null;
  }

  /** Inspects the bytes from `from` up to `to`. Local variables are three times as fast as properties here. */
  push(bytes: Uint8Array, from: number, to: number): void {
    let { hasUnicodeEscape, inText, isEscaped, depth, deepest, values } = this;
    for (let at = from; at < to; at++) {
      const byte = bytes[at];
      if (inText) {
        if (isEscaped) {
          isEscaped = false;
          if (byte === letterU) hasUnicodeEscape = true;
        } else if (byte === backslash) isEscaped = true;
        else if (byte === quote) inText = false;
      } else if (byte === quote) inText = true;
      else if (byte === comma) values++;
      else if (byte === openBracket || byte === openBrace) {
        values++;
        if (++depth > deepest) deepest = depth;
      } else if (byte === closeBracket || byte === closeBrace) depth--;
    }
    Object.assign(this, { hasUnicodeEscape, inText, isEscaped, depth, deepest, values });
  }
}
