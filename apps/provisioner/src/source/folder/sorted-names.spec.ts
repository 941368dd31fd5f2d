import { sortedNames } from './sorted-names.js';

/** Returns the sorted names, and the pauses that sorting them made. */
function sort(names: readonly string[]): { readonly sorted: readonly string[]; readonly pauses: number } {
  const sorting = sortedNames(names);
  for (let pauses = 0; ; pauses += 1) {
    const step = sorting.next();
    if (step.done === true) return { sorted: step.value, pauses };
  }
}

describe(sortedNames.name, () => {
  it('should sort names by their code units', () => {
    const names = ['', 'b', 'a', 'ab', 'a\u00ff', 'a\u0000', 'a', 'A', 'x'.repeat(700), 'x'.repeat(699)];
    expect(sort(names).sorted).toEqual(['', 'A', 'a', 'a', 'a\u0000', 'ab', 'a\u00ff', 'b', names[9], names[8]]);
  });

  it.each([0, 1, 8_192, 8_193, 50_000])('should sort %i names', (count) => {
    const names = Array.from({ length: count }, (_, at) => `file-${String((at * 7919) % count)}`);
    expect(sort(names).sorted).toEqual([...names].sort());
  });

  it('should pause when it sorts many names', () => {
    expect(sort(['a', 'b']).pauses).toBe(0);
    expect(sort(Array.from({ length: 100_000 }, (_, at) => String(at))).pauses).toBeGreaterThan(5);
  });
});
