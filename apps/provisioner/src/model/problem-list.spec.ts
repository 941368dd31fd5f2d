import type { FileFailure } from './failure-code.js';
import { ProblemList } from './problem-list.js';

describe(ProblemList.name, () => {
  it('should count all problems and list up to the maximum of each code', () => {
    const list = new ProblemList<FileFailure>();
    for (let at = 0; at < 25_000; at++) list.add({ code: 'checksum.mismatch', path: `b/${String(at)}`, message: '' });
    list.add({ code: 'list.changed', path: 'a', message: '' });
    expect(list.count).toBe(25_001);
    expect(list.named).toHaveLength(10_001);
    expect(list.named[0]).toMatchObject({ code: 'list.changed' });
    expect(list.codes).toEqual(['checksum.mismatch', 'list.changed']);
  });
});
