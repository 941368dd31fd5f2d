import { PathSet } from './path-set.js';

describe(PathSet.name, () => {
  it('should contain exactly the added paths when paths are added after a lookup', () => {
    const set = new PathSet();
    expect(set.has('')).toBe(false);
    for (let index = 0; index < 5_000; index++) set.add(`a/${String(index)}`);
    expect(set.has('a/4999')).toBe(true);
    set.add('a/4999');
    set.add('é');
    const paths = Array.from({ length: 10_000 }, (_, index) => `a/${String(index)}`);
    expect(paths.filter((path) => set.has(path))).toEqual(paths.slice(0, 5_000));
    expect([set.has('é'), set.has('e\u0301'), set.has('a')]).toEqual([true, false, false]);
  });
});
