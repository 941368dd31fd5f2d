import { Readable } from 'node:stream';
import { readLines, type ListLine } from './list-lines.js';

describe(readLines.name, () => {
  const text = 'one\nzwei ä\n\ndrei\n';

  /** The list in pieces of so many bytes. */
  async function read(pieceLength: number, from: number): Promise<ListLine[]> {
    const bytes = Buffer.from(text);
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += pieceLength) pieces.push(bytes.subarray(at, at + pieceLength));
    const found: ListLine[] = [];
    for await (const line of readLines(Readable.from(pieces), from)) found.push(line);
    return found;
  }

  it.each([1, 2, 3, 4, 5, 100])(
    'should go on where a line said that the next begins, in pieces of %i',
    async (length) => {
      const all = await read(length, 0);
      expect(all.map((line) => line.text)).toEqual(['one', 'zwei ä', '', 'drei']);
      for (const [at, { next }] of all.entries()) expect(await read(length, next)).toEqual(all.slice(at + 1));
      expect(await read(length, 1000)).toEqual([]);
    },
  );

  it.each([1, 2, 3, 100])('should refuse a place within a line, in pieces of %i', async (length) => {
    for (const from of [1, 3, 9]) await expect(read(length, from)).rejects.toThrow('cursor');
  });
});
