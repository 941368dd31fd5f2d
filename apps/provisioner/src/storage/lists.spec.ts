import { linesIn } from './lists.js';

describe(linesIn.name, () => {
  it.each([1, 3, 1_000])('should end lines at line feeds only, in pieces of %i bytes', async (pieceBytes) => {
    const lines = ['{"path":"a\u2028b"}', '{"path":"é\u0085\u2029"}', 'c\r', 'without an end'];
    const bytes = Buffer.from(lines.join('\n'));
    async function* pieces(): AsyncGenerator<Buffer> {
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        await Promise.resolve();
        yield bytes.subarray(at, at + pieceBytes);
      }
    }
    const found: string[] = [];
    for await (const some of linesIn(pieces())) found.push(...some);
    expect(found).toEqual(lines);
  });
});
