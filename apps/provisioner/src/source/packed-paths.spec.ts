import { PackedPaths } from './packed-paths.js';

describe(PackedPaths.name, () => {
  it('should find what was added, each once, and nothing else', () => {
    const paths = ['', 'a', 'a/b', 'é/\u0000', 'x'.repeat(700), `${'x'.repeat(699)}y`, 'x', '/'.repeat(5000)];
    for (let at = 0; at < 9000; at += 1) paths.push(`folder-${String(at % 7)}/file-${String((at * 7919) % 9000)}`);
    const packed = new PackedPaths();
    for (const [index, path] of paths.entries()) expect(packed.add(path)).toBe(index);
    for (const [index, path] of [...paths.entries()].reverse()) expect(packed.add(path)).toBe(index);
    expect(packed.count).toBe(paths.length);
    expect(paths.map((_, index) => packed.at(index))).toEqual(paths);
    expect(paths.map((path) => packed.indexOf(path))).toEqual([...paths.keys()]);
    expect(['b', 'a/', 'e\u0301', 'x'.repeat(699)].map((path) => packed.indexOf(path))).toEqual([-1, -1, -1, -1]);
  });

  it('should find nothing where nothing was added', () => {
    expect(new PackedPaths().indexOf('a')).toBe(-1);
  });
});
