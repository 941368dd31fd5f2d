import { InvalidInputError } from '@rdc/errors';
import { TimeSlice } from '@rdc/http';
import { TextDecoder } from 'node:util';

/** Characters of one item at most, so that no file can fill the memory. */
const maxItem = 16 * 1024 * 1024;

/** Length of the longer of the keys `items` and `results`. */
const longestKey = 7;

/** Bytes of a body that are split in one step. */
const pieceBytes = 64 * 1024;

/** What a file must be. */
const forms = 'must be {"items": [...]} or one JSON object a line (NDJSON), in UTF-8';

/**
 * The items of `{"items": [...]}`, of `{"results": [...]}` (as lists of ours are answered) or of NDJSON, each as its JSON text, read as they come: memory holds one at a time.
 *
 * @throws InvalidInputError when the input is of neither form
 */
export async function* itemTexts(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const splitter = new ItemSplitter();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of input) yield* splitter.push(decode(decoder, chunk));
  yield* splitter.push(decode(decoder));
  splitter.end();
}

/** Yields a body that is in memory piece by piece, and lets other requests be answered between the pieces. */
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
    throw notOfAForm();
  }
}

function notOfAForm(): InvalidInputError {
  return new InvalidInputError([{ field: '', problem: `The body ${forms}` }]);
}

/** Cuts text into items by following its brackets and strings; whether an item is JSON is for others to say. */
class ItemSplitter {
  private depth = 0;
  private inString = false;
  private escaped = false;
  /** What was read of the value under way. */
  private text = '';
  /** The beginning of the last text that stood directly in the first object: its last key, if that is short. */
  private key = '';
  private afterComma = false;
  /** Whether we are in the first object, among its items, behind them, or among lines. */
  private place: 'first' | 'items' | 'rest' | 'lines' = 'first';

  /** Takes more text and gives the items that end in it. */
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
        if (this.depth++ === 0 && (character === '[' || this.place === 'rest')) throw notOfAForm();
        if (this.opensItems(character)) {
          this.place = 'items';
          this.text = '';
          start = at + 1;
        }
      } else if (character === '}' || character === ']') {
        const item = this.close(chunk.slice(start, at), character);
        if (item === undefined) continue;
        start = at + 1;
        if (item !== '') yield item;
      } else if (character === ',' && this.place === 'items' && this.depth === 2) {
        this.afterComma = true;
        yield this.take(chunk.slice(start, at));
        start = at + 1;
      } else if (this.depth === 0 && !/\s|\uFEFF/.test(character)) throw notOfAForm();
    }
    this.text = this.place === 'rest' || this.depth === 0 ? '' : this.text + chunk.slice(start);
    if (this.text.length > maxItem)
      throw new InvalidInputError([{ field: '', problem: 'An item is larger than 16 MB' }]);
  }

  /** @throws InvalidInputError when the text ended in the middle, or was empty */
  end(): void {
    if (this.depth > 0 || this.inString || this.place === 'first') throw notOfAForm();
  }

  private followString(character: string): void {
    if (this.escaped) this.escaped = false;
    else if (character === '\\') this.escaped = true;
    else if (character === '"') {
      this.inString = false;
      return;
    }
    if (this.place === 'first' && this.depth === 1 && this.key.length <= longestKey) this.key += character;
  }

  private opensItems(character: string): boolean {
    return (
      this.place === 'first' &&
      character === '[' &&
      this.depth === 2 &&
      (this.key === 'items' || this.key === 'results')
    );
  }

  /** What ends with a bracket: an item, `''` for the end of all items, undefined when only a part of one. */
  private close(text: string, bracket: string): string | undefined {
    this.depth--;
    if (this.place === 'items' && this.depth === 1) {
      this.place = 'rest';
      const last = this.take(text).trim();
      if (last === '' && this.afterComma) throw notOfAForm();
      return last;
    }
    if (this.depth > 0) return undefined;
    if (this.depth < 0) throw notOfAForm();
    if (this.place === 'rest') return '';
    this.place = 'lines';
    return this.take(text + bracket);
  }

  private take(text: string): string {
    const whole = this.text + text;
    this.text = '';
    return whole;
  }
}
