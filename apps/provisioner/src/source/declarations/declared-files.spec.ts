import { hash } from 'node:crypto';
import { algorithms } from './algorithms.js';
import { DeclaredFiles } from './declared-files.js';

describe.each([
  ['in memory', Number.POSITIVE_INFINITY],
  ['on the disk from the first', 0],
  ['on the disk after some', 1_000],
])('DeclaredFiles %s', (_, maxBytes) => {
  let files: DeclaredFiles;

  beforeEach(() => {
    files = new DeclaredFiles(maxBytes);
  });

  afterEach(() => {
    files.close();
  });

  it('should return the digests of every algorithm and the size of each of thousands of files', () => {
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
    const [zeros, ones] = ['0'.repeat(32), '1'.repeat(32)];
    expect(files.addChecksum('a', 'md5', zeros)).toBe(true);
    expect(files.addChecksum('a', 'md5', zeros)).toBe(true);
    expect(files.addChecksum('a', 'sha256', ones.repeat(2))).toBe(true);
    expect(files.addChecksum('a', 'md5', ones)).toBe(false);
    expect(files.addChecksum('b', 'md5', zeros)).toBe(true);
  });

  it('should return the declared files that do not exist', () => {
    for (const path of ['a', 'b', 'c']) files.addSize(path, 1);
    expect(files.markExisting('b')?.size).toBe(1);
    expect(files.markExisting('d')).toBeUndefined();
    expect([...files.missing()].map(({ path }) => path)).toEqual(['a', 'c']);
  });

  it('should find a file when its path has another Unicode form', () => {
    files.addChecksum('é', 'md5', '0'.repeat(32));
    expect(files.markExisting('e\u0301')).toBeDefined();
    expect(files.get('e\u0301')).toEqual({ checksums: { md5: '0'.repeat(32) } });
    expect([...files.missing()]).toEqual([]);
  });

  it('should assign digests to another file unless the file has a different digest', () => {
    const [zeros, ones] = ['0'.repeat(32), '1'.repeat(32)];
    for (const [path, digest] of Object.entries({ a: zeros, b: ones, c: zeros }))
      files.addChecksum(path, 'md5', digest, 1);
    files.markExisting('c');
    expect([files.assign('a', 's/a'), files.assign('b', 'c')]).toEqual([true, false]);
    expect(files.get('s/a')).toEqual({ checksums: { md5: zeros } });
    expect([...files.missing()].map(({ path }) => path)).toEqual(['b']);
  });

  it('should count the missing files and the existing files with a digest', () => {
    for (let at = 0; at < 50; at += 1) files.addChecksum(`data/${String(at)}`, 'md5', '0'.repeat(32), 2);
    files.add('plain');
    for (const path of ['data/1', 'data/1', 'data/30', 'plain', 'other']) files.markExisting(path);
    expect([files.count, files.missingCount, files.existingWithDigest]).toEqual([51, 48, 2]);
    expect([...files.missing()]).toHaveLength(48);
    files.assign('data/2', 'run/data/2');
    files.assign('data/3', 'plain');
    expect([files.count, files.missingCount, files.existingWithDigest]).toEqual([50, 46, 4]);
    expect([...files.missing()]).toHaveLength(46);
  });

  it('should remember the manifests of each file', () => {
    for (let at = 0; at < 50; at += 1) files.addManifest(`data/${String(at)}`, 1);
    files.addManifest('data/7', 2);
    files.addFetched('data/8');
    expect([1, 2, 4].map((bit) => files.isListed('data/7', bit))).toEqual([true, true, false]);
    expect([...files.missing()].filter(({ isFetched }) => isFetched)).toMatchObject([{ path: 'data/8' }]);
  });
});
