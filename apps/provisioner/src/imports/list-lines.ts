import { InvalidInputError } from '@rdc/errors';

const lineEnd = 0x0a;

export const cursorRule = 'must be a cursor of an earlier response';

/** A line of a list. */
export interface ListLine {
  readonly text: string;
  /** The offset of the next line, in bytes. */
  readonly next: number;
}

/**
 * Reads the lines of a list from an offset. The bytes before the offset are skipped.
 *
 * @param from the offset in bytes: `next` of an earlier line
 * @throws InvalidInputError if no line begins at the offset
 */
export async function* readLines(list: AsyncIterable<Buffer>, from: number): AsyncGenerator<ListLine> {
  let position = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const bytes of list) {
    const skipped = Math.min(bytes.length, Math.max(0, from - position));
    const isOffset = skipped > 0 && position + skipped === from;
    if (isOffset && bytes[skipped - 1] !== lineEnd)
      throw new InvalidInputError([{ field: 'cursor', problem: cursorRule }]);
    position += bytes.length;
    const text = Buffer.concat([rest, bytes.subarray(skipped)]);
    let start = 0;
    for (let end = text.indexOf(lineEnd); end >= 0; end = text.indexOf(lineEnd, start)) {
      yield { text: text.toString('utf8', start, end), next: position - text.length + end + 1 };
      start = end + 1;
    }
    rest = text.subarray(start);
  }
}
