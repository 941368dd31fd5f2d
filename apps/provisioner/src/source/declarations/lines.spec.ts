import { LineSplitter, maxLineLength } from './lines.js';

describe(LineSplitter.name, () => {
  /** Returns the lines of a text that comes in pieces of so many bytes. */
  function lines(text: string, pieceBytes = text.length || 1): string[] {
    const bytes = Buffer.from(text);
    const splitter = new LineSplitter();
    const found: string[] = [];
    for (let at = 0; at < bytes.length; at += pieceBytes)
      for (const some of splitter.next(bytes.subarray(at, at + pieceBytes))) found.push(...some);
    return [...found, ...splitter.last()];
  }

  it.each([1, 2, 3, 1000])('should be the same in pieces of %i bytes', (pieceBytes) => {
    expect(lines('\uFEFFone\ntwo\r\nthrée\r\r\n\nfive\r', pieceBytes)).toEqual([
      ...['one', 'two', 'thrée', '', '', 'five', ''],
    ]);
  });

  it.each([0, 1, 2])('should be whole where a long text is looked at piece by piece, %i bytes on', (more) => {
    const wanted = ['x'.repeat(more), ...Array.from({ length: 30_000 }, (_, at) => `é€${String(at)}`), ''];
    expect(lines(wanted.join('\r\n'))).toEqual(wanted);
  });

  it('should be one of an empty text', () => {
    expect(lines('')).toEqual(['']);
  });

  it('should return a beginning of a line that is too long before the line ends', () => {
    const splitter = new LineSplitter();
    const found = [...splitter.next(Buffer.from(`a\n${'x'.repeat(10 * maxLineLength)}`))].flat();
    expect(found[0]).toBe('a');
    expect(found[1]?.length).toBeGreaterThan(maxLineLength);
    expect(found).toHaveLength(2);
  });
});
