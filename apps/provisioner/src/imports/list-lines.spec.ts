import { Readable } from 'node:stream';
import { readLines, type ListLine } from './list-lines.js';

describe(readLines.name, () => {
  const text = 'one\nzwei ä\n\ndrei\n';

  /** Reads the lines of a list that arrives in chunks. */
  async function read(chunkLength: number, from: number): Promise<ListLine[]> {
    const bytes = Buffer.from(text);
    const chunks: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += chunkLength) chunks.push(bytes.subarray(at, at + chunkLength));
    const lines: ListLine[] = [];
    for await (const line of readLines(Readable.from(chunks), from)) lines.push(line);
    return lines;
  }

  it.each([1, 2, 3, 4, 5, 100])('should resume at the next line when the chunks have %i bytes', async (length) => {
    const all = await read(length, 0);
    expect(all.map((line) => line.text)).toEqual(['one', 'zwei ä', '', 'drei']);
    for (const [at, { next }] of all.entries()) expect(await read(length, next)).toEqual(all.slice(at + 1));
    expect(await read(length, 1000)).toEqual([]);
  });

  it.each([1, 2, 3, 100])('should refuse an offset within a line when the chunks have %i bytes', async (length) => {
    for (const from of [1, 3, 9]) await expect(read(length, from)).rejects.toThrow('cursor');
  });
});
