import { hash } from 'node:crypto';
import { algorithms } from './algorithms.js';
import { DeclaredFiles } from './declared-files.js';

describe(DeclaredFiles.name, () => {
  it('should return the digests of every algorithm and the size of each of thousands of files', () => {
    const files = new DeclaredFiles();
    const paths = Array.from({ length: 9000 }, (_, at) => `data/${String(at)}`);
    const declared = new Map(
      paths.map((path, at) => {
        const checksums = Object.fromEntries(
          algorithms.filter((_, index) => (at >> index) & 1).map((algorithm) => [algorithm, hash(algorithm, path)]),
        );
        return [path, at % 2 === 0 ? { checksums } : { checksums, size: at * 2 ** 38 }] as const;
      }),
    );
    for (const [path, { checksums, size }] of declared) {
      files.add(path);
      for (const algorithm of algorithms) {
        const digest = checksums[algorithm];
        if (digest) expect(files.addChecksum(path, algorithm, digest.toUpperCase())).toBe(true);
      }
      if (size !== undefined) files.addSize(path, size);
    }
    expect(files.count).toBe(paths.length);
    expect(files.algorithms).toEqual(algorithms);
    for (const [path, what] of declared) expect(files.get(path)).toEqual(what);
    expect(files.get('data')).toBeUndefined();
  });

  it('should report a second digest of one algorithm when it differs from the first', () => {
    const files = new DeclaredFiles();
    const [zeros, ones] = ['0'.repeat(32), '1'.repeat(32)];
    expect(files.addChecksum('a', 'md5', zeros)).toBe(true);
    expect(files.addChecksum('a', 'md5', zeros)).toBe(true);
    expect(files.addChecksum('a', 'sha256', ones.repeat(2))).toBe(true);
    expect(files.addChecksum('a', 'md5', ones)).toBe(false);
    expect(files.addChecksum('b', 'md5', zeros)).toBe(true);
  });

  it('should return the declared files that do not exist', () => {
    const files = new DeclaredFiles();
    for (const path of ['a', 'b', 'c']) files.addSize(path, 1);
    expect(files.markExisting('b')?.size).toBe(1);
    expect(files.markExisting('d')).toBeUndefined();
    expect([...files.missing()].map(({ path }) => path)).toEqual(['a', 'c']);
  });

  it('should find a file when its path has another Unicode form', () => {
    const files = new DeclaredFiles();
    files.addChecksum('é', 'md5', '0'.repeat(32));
    expect(files.markExisting('e\u0301')).toBeDefined();
    expect(files.get('e\u0301')).toEqual({ checksums: { md5: '0'.repeat(32) } });
    expect([...files.missing()]).toEqual([]);
  });

  it('should assign digests to another file unless the file has a different digest', () => {
    const files = new DeclaredFiles();
    const [zeros, ones] = ['0'.repeat(32), '1'.repeat(32)];
    for (const [path, digest] of Object.entries({ a: zeros, b: ones, c: zeros }))
      files.addChecksum(path, 'md5', digest, 1);
    files.markExisting('c');
    expect([files.assign('a', 's/a'), files.assign('b', 'c')]).toEqual([true, false]);
    expect(files.get('s/a')).toEqual({ checksums: { md5: zeros } });
    expect([...files.missing()].map(({ path }) => path)).toEqual(['b']);
  });
});
