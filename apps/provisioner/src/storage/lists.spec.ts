import { linesIn } from './lists.js';

describe(linesIn.name, () => {
  it.each([1, 3, 1_000])('should split lines at line feeds only when pieces have %i bytes', async (pieceBytes) => {
    const lines = ['{"path":"a\u2028b"}', '{"path":"é\u0085\u2029"}', 'c\r', 'without an end'];
    const bytes = Buffer.from(lines.join('\n'));
    async function* pieces(): AsyncGenerator<Buffer> {
      for (let start = 0; start < bytes.length; start += pieceBytes) {
        await Promise.resolve();
        yield bytes.subarray(start, start + pieceBytes);
      }
    }
    const read: string[] = [];
    for await (const some of linesIn(pieces())) read.push(...some);
    expect(read).toEqual(lines);
  });
});
