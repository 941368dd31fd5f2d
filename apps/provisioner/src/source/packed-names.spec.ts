import { PackedNames } from './packed-names.js';

describe(PackedNames.name, () => {
  it('should give names back, and their indices in the order of their bytes', () => {
    const names = ['', 'b', 'a', 'ab', 'a\u00ff', 'a\u0000', 'a', 'A', 'x'.repeat(700), 'x'.repeat(699)];
    for (let at = 0; at < 20_000; at++) names.push(`file-${String((at * 7919) % 20_000)}`);
    const packed = new PackedNames();
    for (const [index, name] of names.entries()) expect(packed.add(name)).toBe(index);
    expect(packed.count).toBe(names.length);
    expect(names.map((_, index) => packed.at(index))).toEqual(names);
    expect(Array.from(packed.sorted(), (index) => packed.at(index))).toEqual([...names].sort());
  });

  it('should sort none and one', () => {
    const packed = new PackedNames();
    expect([...packed.sorted()]).toEqual([]);
    packed.add('a');
    expect([...packed.sorted()]).toEqual([0]);
  });
});
