import { linesOf, maxLineLength } from './lines.js';

describe(linesOf.name, () => {
  /** The lines of a text that comes in pieces of so many bytes. */
  async function lines(text: string, pieceBytes = text.length || 1): Promise<string[]> {
    const bytes = Buffer.from(text);
    async function* pieces(): AsyncGenerator<Buffer> {
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        await Promise.resolve();
        yield bytes.subarray(at, at + pieceBytes);
      }
    }
    const found: string[] = [];
    for await (const some of linesOf(pieces())) found.push(...some);
    return found;
  }

  it.each([1, 2, 3, 1000])('should be the same in pieces of %i bytes', async (pieceBytes) => {
    expect(await lines('\uFEFFone\ntwo\r\nthrée\r\r\n\nfive\r', pieceBytes)).toEqual([
      ...['one', 'two', 'thrée', '', '', 'five', ''],
    ]);
  });

  it.each([0, 1, 2])('should be whole where a long text is looked at piece by piece, %i bytes on', async (more) => {
    const wanted = ['x'.repeat(more), ...Array.from({ length: 30_000 }, (_, at) => `é€${String(at)}`), ''];
    expect(await lines(wanted.join('\r\n'))).toEqual(wanted);
  });

  it('should be one of an empty text', async () => {
    expect(await lines('')).toEqual(['']);
  });

  it('should end with a beginning of a line that is too long', async () => {
    const found = await lines(`a\n${'x'.repeat(10 * maxLineLength)}\nb`, 1000);
    expect(found[0]).toBe('a');
    expect(found[1]?.length).toBeGreaterThan(maxLineLength);
    expect(found).toHaveLength(2);
  });
});
