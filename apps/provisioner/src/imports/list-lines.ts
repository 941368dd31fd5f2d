import { InvalidInputError } from '@rdc/errors';

const lineEnd = 0x0a;

/** A line of a list, and where the next begins. */
export interface ListLine {
  readonly text: string;
  /** In bytes from the list's beginning. */
  readonly next: number;
}

/**
 * The lines of a list from a place on; what stands before it is passed over without being understood.
 *
 * @param from in bytes, the `next` of an earlier line
 * @throws InvalidInputError where no line begins there
 */
export async function* readLines(list: AsyncIterable<Buffer>, from: number): AsyncGenerator<ListLine> {
  let passed = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const bytes of list) {
    const before = Math.min(bytes.length, Math.max(0, from - passed));
    const isPlace = before > 0 && passed + before === from;
    if (isPlace && bytes[before - 1] !== lineEnd) throw noLineThere();
    passed += bytes.length;
    const text = Buffer.concat([rest, bytes.subarray(before)]);
    let start = 0;
    for (let end = text.indexOf(lineEnd); end >= 0; end = text.indexOf(lineEnd, start)) {
      yield { text: text.toString('utf8', start, end), next: passed - text.length + end + 1 };
      start = end + 1;
    }
    rest = text.subarray(start);
  }
}

function noLineThere(): InvalidInputError {
  return new InvalidInputError([{ field: 'cursor', problem: 'must be one that an answer gave' }]);
}
