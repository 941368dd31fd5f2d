import { readBag } from './bag.js';
import { algorithmOfList, readChecksumList } from './checksum-list.js';
import { readDataPackage } from './data-package.js';
import { Declarations } from './declarations.js';
import { readRoCrate } from './ro-crate.js';

const md5 = 'c4ca4238a0b923820dcc509a6f75849b';
const sha256 = '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b';

function declared(read: (into: Declarations) => void): Declarations {
  const declarations = new Declarations();
  read(declarations);
  return declarations;
}

describe(readChecksumList.name, () => {
  const list = (text: string, dialect: 'coreutils' | 'bagit' = 'coreutils'): Declarations =>
    declared((into) => {
      readChecksumList(into, { name: 'md5sums.txt', text, algorithm: 'md5' }, dialect);
    });

  it("should read both of coreutils' forms, and its escapes", () => {
    const { files, problems } = list(`${md5}  a b\n${md5.toUpperCase()} *./c/d\r\n\\${md5}  new\\nline\\\\\n\n`);
    expect([...files.keys()]).toEqual(['a b', 'c/d', 'new\nline\\']);
    expect(files.get('c/d')).toEqual({ checksums: { md5 } });
    expect(problems).toEqual([]);
  });

  it("should read a bag's escapes", () => {
    expect([...list(`${md5}  data/100%25%0A\n`, 'bagit').files.keys()]).toEqual(['data/100%\n']);
  });

  it.each([`${md5}  ../out`, `${md5}  /etc/passwd`, `${sha256}  a`, 'nonsense', `${md5}  a/../b`])(
    'should refuse the line %j',
    (line) => {
      expect(list(line).problems).toMatchObject([{ code: 'descriptor.invalid', path: 'md5sums.txt' }]);
    },
  );

  it('should refuse two different digests of one file', () => {
    expect(list(`${md5}  a\n${md5.replace('c', 'd')}  a\n`).problems).toMatchObject([{ code: 'descriptor.invalid' }]);
  });
});

describe(algorithmOfList.name, () => {
  it.each([
    ['SHA256SUMS', 'sha256'],
    ['md5sums.txt', 'md5'],
    ['checksum.sha1', 'sha1'],
    ['notes.txt', undefined],
    ['sha3sums', undefined],
  ])('should take %s for a list of %s', (name, algorithm) => {
    expect(algorithmOfList(name)).toBe(algorithm);
  });
});

describe(readDataPackage.name, () => {
  const read = (descriptor: unknown): Declarations =>
    declared((into) => {
      readDataPackage(into, Buffer.from(JSON.stringify(descriptor)));
    });

  it('should take sizes and digests, of which one without a prefix is an MD5', () => {
    const { files, title } = read({
      title: 'T',
      resources: [
        { path: 'a', bytes: 1, hash: `sha256:${sha256}` },
        { path: 'b', hash: md5 },
        { path: ['c', 'd'], hash: md5 },
        { path: 'https://example.org/e', hash: md5 },
        { data: [] },
      ],
    });
    expect(title).toBe('T');
    expect(Object.fromEntries(files)).toEqual({
      a: { checksums: { sha256 }, size: 1 },
      b: { checksums: { md5 } },
      c: { checksums: {} },
      d: { checksums: {} },
    });
  });

  it.each([{ resources: [{ path: '../x' }] }, { resources: [{ path: '/x' }] }, { resources: 'x' }, [], 7])(
    'should refuse %j',
    (descriptor) => {
      expect(read(descriptor).problems).toMatchObject([{ code: 'descriptor.invalid' }]);
    },
  );
});

describe(readBag.name, () => {
  it('should take manifests, the oxum and the title, and want every payload file listed', () => {
    const declarations = declared((into) => {
      readBag(
        into,
        new Map([
          ['manifest-md5.txt', Buffer.from(`${md5}  data/a\n`)],
          ['tagmanifest-sha256.txt', Buffer.from(`${sha256}  bagit.txt\n`)],
          ['bag-info.txt', Buffer.from('External-Description: T\nPayload-Oxum: 1.1\n')],
        ]),
      );
    });
    expect([...declarations.files.keys()]).toEqual(['data/a', 'bagit.txt']);
    expect(declarations).toMatchObject({ title: 'T', oxum: { bytes: 1, files: 1 }, completeFolders: ['data/'] });
    expect(declarations.algorithms()).toEqual(['md5', 'sha256']);
  });
});

describe(readRoCrate.name, () => {
  it('should take digests and sizes of file entities', () => {
    const graph = [
      { '@id': './', '@type': 'Dataset', name: 'T' },
      { '@id': 'a%20b', '@type': ['File'], sha256, contentSize: '1' },
      { '@id': '../x', '@type': 'File', sha256 },
    ];
    const declarations = declared((into) => {
      readRoCrate(into, Buffer.from(JSON.stringify({ '@graph': graph })));
    });
    expect(Object.fromEntries(declarations.files)).toEqual({ 'a b': { checksums: { sha256 }, size: 1 } });
    expect(declarations.title).toBe('T');
  });
});
