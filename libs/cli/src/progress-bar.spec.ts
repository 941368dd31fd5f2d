import { ProgressBar } from './progress-bar.js';

describe(ProgressBar.name, () => {
  const drawn = (isTTY: boolean): string[] => {
    const texts: string[] = [];
    const bar = new ProgressBar(200, 'datasets', { isTTY, write: (text: string) => texts.push(text) });
    for (let step = 0; step < 4; step++) bar.advance(50);
    bar.end();
    return texts;
  };

  it('should grow to the whole where a person looks', () => {
    const texts = drawn(true);
    expect(texts).toHaveLength(5);
    expect(texts[1]).toBe(`\rdatasets [${'#'.repeat(15).padEnd(30)}] 50 %`);
    expect(texts.at(-1)).toBe('\n');
  });

  it('should draw nothing into a file', () => {
    expect(drawn(false)).toEqual([]);
  });

  it('should draw over itself within the width of a terminal, and not at all where there is none', () => {
    const written: string[] = [];
    const target = { isTTY: true, columns: 60, write: (text: string) => written.push(text) };
    const bar = new ProgressBar(0, 'importing', target);
    bar.show(1, 4, 'a remark that is much longer than the line has room for');
    bar.show(4, 4);
    bar.end();
    expect(written).toEqual([
      '\rimporting [########                      ] 25 % a remark th',
      expect.stringMatching(/^\rimporting \[#{30}\] 100 % +$/),
      '\n',
    ]);
  });
});
