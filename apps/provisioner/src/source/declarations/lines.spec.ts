import { LineSplitter, maxLineLength } from './lines.js';

describe(LineSplitter.name, () => {
  /** Returns the lines of a text that is read in pieces of `pieceBytes`. */
  function lines(text: string, pieceBytes = text.length || 1): string[] {
    const bytes = Buffer.from(text);
    const splitter = new LineSplitter();
    const found: string[] = [];
    for (let at = 0; at < bytes.length; at += pieceBytes)
      for (const some of splitter.next(bytes.subarray(at, at + pieceBytes))) found.push(...some);
    return [...found, ...splitter.last()];
  }

  it.each([1, 2, 3, 1000])('should return the same lines when the text comes in pieces of %i bytes', (pieceBytes) => {
    expect(lines('\uFEFFone\ntwo\r\nthrée\r\r\n\nfive\r', pieceBytes)).toEqual([
      ...['one', 'two', 'thrée', '', '', 'five', ''],
    ]);
  });

  it.each([0, 1, 2])('should return whole lines when a long text is decoded in pieces, shifted by %i bytes', (more) => {
    const wanted = ['x'.repeat(more), ...Array.from({ length: 30_000 }, (_, at) => `é€${String(at)}`), ''];
    expect(lines(wanted.join('\r\n'))).toEqual(wanted);
  });

  it('should return one empty line when the text is empty', () => {
    expect(lines('')).toEqual(['']);
  });

  it('should return the beginning of a line before its end when the line is too long', () => {
    const splitter = new LineSplitter();
    const found = [...splitter.next(Buffer.from(`a\n${'x'.repeat(10 * maxLineLength)}`))].flat();
    expect(found[0]).toBe('a');
    expect(found[1]?.length).toBeGreaterThan(maxLineLength);
    expect(found).toHaveLength(2);
  });
});
