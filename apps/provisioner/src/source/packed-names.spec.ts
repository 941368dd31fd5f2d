import { PackedNames } from './packed-names.js';

/** Returns the indices in their order. Pauses are passed over. */
function sortedOf(packed: PackedNames): number[] {
  const sorting = packed.sorted();
  for (let step = sorting.next(); ; step = sorting.next()) if (step.done === true) return [...step.value];
}

describe(PackedNames.name, () => {
  it('should give names back, and their indices in the order of their bytes', () => {
    const names = ['', 'b', 'a', 'ab', 'a\u00ff', 'a\u0000', 'a', 'A', 'x'.repeat(700), 'x'.repeat(699)];
    for (let at = 0; at < 20_000; at++) names.push(`file-${String((at * 7919) % 20_000)}`);
    const packed = new PackedNames();
    for (const [index, name] of names.entries()) expect(packed.add(name)).toBe(index);
    expect(packed.count).toBe(names.length);
    expect(names.map((_, index) => packed.at(index))).toEqual(names);
    expect(sortedOf(packed).map((index) => packed.at(index))).toEqual([...names].sort());
  });

  it('should pause while it sorts many names', () => {
    const packed = new PackedNames();
    for (let at = 0; at < 100_000; at++) packed.add(`file-${String((at * 7919) % 100_000)}`);
    expect([...packed.sorted()].length).toBeGreaterThan(5);
  });

  it('should sort none and one', () => {
    const packed = new PackedNames();
    expect(sortedOf(packed)).toEqual([]);
    packed.add('a');
    expect(sortedOf(packed)).toEqual([0]);
  });
});
