import { Readable } from 'node:stream';
import { inPieces } from './pieces.js';

describe(inPieces.name, () => {
  async function lengthsOf(stream: Readable, into: Buffer[] = []): Promise<number[]> {
    const lengths: number[] = [];
    const buffer = Buffer.alloc(10);
    for await (const piece of inPieces(stream, () => Promise.resolve(buffer))) {
      into.push(Buffer.from(piece));
      lengths.push(piece.length);
    }
    return lengths;
  }

  it.each([
    ['nothing', [], []],
    ['less than a piece', [3, 4], [7]],
    ['exactly a piece', [4, 6], [10]],
    ['chunks longer than several pieces', [35, 2], [10, 10, 10, 7]],
    ['many chunks', [6, 6, 6, 6, 6], [10, 10, 10]],
  ])('should fill the same buffer repeatedly when the stream has %s', async (_, chunks, lengths) => {
    const bytes = Buffer.from(Array.from({ length: 40 }, (_, index) => index));
    let from = 0;
    const parts = chunks.map((length) => bytes.subarray(from, (from += length)));
    const pieces: Buffer[] = [];
    expect(await lengthsOf(Readable.from(parts, { objectMode: false }), pieces)).toEqual(lengths);
    expect(Buffer.concat(pieces)).toEqual(bytes.subarray(0, from));
  });

  it('should fill each lent buffer in turn', async () => {
    const buffers = [5, 10, 5].map((length) => Buffer.alloc(length));
    const lent = buffers.values();
    const pieces: Buffer[] = [];
    const stream = Readable.from([Buffer.from('0123456789'), Buffer.from('abcdef')], { objectMode: false });
    for await (const piece of inPieces(stream, () => Promise.resolve(lent.next().value ?? Buffer.alloc(0))))
      pieces.push(piece);
    expect(pieces.map(String)).toEqual(['01234', '56789abcde', 'f']);
    expect(pieces.map(({ buffer }) => buffer)).toEqual(buffers.map(({ buffer }) => buffer));
  });

  it('should return the bytes before an error of the stream, and then throw the error', async () => {
    const stream = Readable.from(
      (function* () {
        yield Buffer.alloc(13);
        throw new Error('broken');
      })(),
      { objectMode: false, highWaterMark: 1 },
    );
    const pieces: Buffer[] = [];
    await expect(lengthsOf(stream, pieces)).rejects.toThrow('broken');
    expect(Buffer.concat(pieces).length).toBe(13);
  });
});
