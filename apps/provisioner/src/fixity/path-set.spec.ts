import { PathSet } from './path-set.js';

describe(PathSet.name, () => {
  it('should hold what was added and nothing else, also after more was added', () => {
    const set = new PathSet();
    expect(set.has('')).toBe(false);
    for (let at = 0; at < 5_000; at++) set.add(`a/${String(at)}`);
    expect(set.has('a/4999')).toBe(true);
    set.add('a/4999');
    set.add('é');
    const held = Array.from({ length: 10_000 }, (_, at) => `a/${String(at)}`).filter((path) => set.has(path));
    expect(held).toHaveLength(5_000);
    expect([set.has('é'), set.has('e\u0301'), set.has('a')]).toEqual([true, false, false]);
  });
});
