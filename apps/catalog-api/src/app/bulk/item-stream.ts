import { InvalidInputError } from '@rdc/errors';
import { TimeSlice } from '@rdc/http';
import { TextDecoder } from 'node:util';

/** The maximum number of characters of one item, which bounds the memory. */
const maxItem = 16 * 1024 * 1024;

/** The length of the longer of the keys `items` and `results`. */
const longestKey = 7;

/** The number of bytes of a body that are split in one step. */
const pieceBytes = 64 * 1024;

/** The accepted forms of a body, for error messages. */
const forms = 'must be {"items": [...]} or one JSON object per line (NDJSON), in UTF-8';

/**
 * Yields the JSON text of each item of `{"items": [...]}`, of `{"results": [...]}` (a response of this catalog) or of
 * NDJSON. Memory holds one item at a time.
 *
 * @throws InvalidInputError if the input has none of these forms
 */
export async function* itemTexts(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const splitter = new ItemSplitter();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of input) yield* splitter.push(decode(decoder, chunk));
  yield* splitter.push(decode(decoder));
  splitter.end();
}

/** Yields a body in pieces and lets the process answer other requests between the pieces. */
export async function* inPieces(body: Uint8Array): AsyncGenerator<Uint8Array> {
  const slice = new TimeSlice();
  for (let at = 0; at < body.length; at += pieceBytes) {
    yield body.subarray(at, at + pieceBytes);
    if (slice.isSpent) await slice.next();
  }
}

function decode(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw unknownForm();
  }
}

function unknownForm(): InvalidInputError {
  return new InvalidInputError([{ field: '', problem: `The body ${forms}` }]);
}

/** Splits text into items by its brackets and strings. Does not check whether an item is JSON. */
class ItemSplitter {
  private depth = 0;
  private inString = false;
  private escaped = false;
  /** The part of the current value that was read. */
  private text = '';
  /** The beginning of the last string directly in the first object, which is the last key. */
  private key = '';
  private afterComma = false;
  /** The current position: in the first object, among its items, after its items, or among lines. */
  private position: 'first' | 'items' | 'rest' | 'lines' = 'first';

  /** Accepts more text and yields the items that end in it. */
  *push(chunk: string): Generator<string> {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk[at] ?? '';
      if (this.inString) {
        this.followString(character);
        continue;
      }
      if (character === '"') {
        this.inString = true;
        if (this.depth === 1) this.key = '';
      } else if (character === '{' || character === '[') {
        if (this.depth++ === 0 && (character === '[' || this.position === 'rest')) throw unknownForm();
        if (this.isArrayStart(character)) {
          this.position = 'items';
          this.text = '';
          start = at + 1;
        }
      } else if (character === '}' || character === ']') {
        const item = this.close(chunk.slice(start, at), character);
        if (item === undefined) continue;
        start = at + 1;
        if (item !== '') yield item;
      } else if (character === ',' && this.position === 'items' && this.depth === 2) {
        this.afterComma = true;
        yield this.take(chunk.slice(start, at));
        start = at + 1;
      } else if (this.depth === 0 && !/\s|\uFEFF/.test(character)) throw unknownForm();
    }
    this.text = this.position === 'rest' || this.depth === 0 ? '' : this.text + chunk.slice(start);
    if (this.text.length > maxItem)
      throw new InvalidInputError([{ field: '', problem: 'The body must contain only items of at most 16 MB' }]);
  }

  /** @throws InvalidInputError if the text is incomplete or empty */
  end(): void {
    if (this.depth > 0 || this.inString || this.position === 'first') throw unknownForm();
  }

  private followString(character: string): void {
    if (this.escaped) this.escaped = false;
    else if (character === '\\') this.escaped = true;
    else if (character === '"') {
      this.inString = false;
      return;
    }
    if (this.position === 'first' && this.depth === 1 && this.key.length <= longestKey) this.key += character;
  }

  private isArrayStart(character: string): boolean {
    return (
      this.position === 'first' &&
      character === '[' &&
      this.depth === 2 &&
      (this.key === 'items' || this.key === 'results')
    );
  }

  /** Handles a closing bracket. @returns the item that ends, `''` after the last item, undefined inside an item */
  private close(text: string, bracket: string): string | undefined {
    this.depth--;
    if (this.position === 'items' && this.depth === 1) {
      this.position = 'rest';
      const last = this.take(text).trim();
      if (last === '' && this.afterComma) throw unknownForm();
      return last;
    }
    if (this.depth > 0) return undefined;
    if (this.depth < 0) throw unknownForm();
    if (this.position === 'rest') return '';
    this.position = 'lines';
    return this.take(text + bracket);
  }

  private take(text: string): string {
    const whole = this.text + text;
    this.text = '';
    return whole;
  }
}
