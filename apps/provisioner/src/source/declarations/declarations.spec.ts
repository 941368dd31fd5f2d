import { Readable } from 'node:stream';
import { readBag, readBagInfo } from './bag.js';
import { algorithmOfList, readChecksumList } from './checksum-list.js';
import { readDataPackage } from './data-package.js';
import { Declarations } from './declarations.js';
import type { DeclaredFile } from './declared-files.js';
import { maxLineLength } from './lines.js';
import { readRoCrate } from './ro-crate.js';

const md5 = 'c4ca4238a0b923820dcc509a6f75849b';
const sha256 = '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b';

function declared(read: (into: Declarations) => void): Declarations {
  const declarations = new Declarations();
  read(declarations);
  return declarations;
}

/** What is said of each file. */
function filesOf({ files }: Declarations): Readonly<Record<string, DeclaredFile | undefined>> {
  return Object.fromEntries([...files.unseen()].map((path) => [path, files.get(path)]));
}

describe(readChecksumList.name, () => {
  async function list(text: string, dialect: 'coreutils' | 'bagit' = 'coreutils'): Promise<Declarations> {
    const into = new Declarations();
    const lines = Readable.from([text.split(/\r?\n/)]);
    await readChecksumList(into, { name: 'md5sums.txt', lines, algorithm: 'md5' }, dialect);
    return into;
  }

  it("should read both of coreutils' forms, and its escapes", async () => {
    const found = await list(`${md5}  a b\n${md5.toUpperCase()} *./c/d\r\n\\${md5}  new\\nline\\\\\n\n`);
    expect(filesOf(found)).toEqual({
      'a b': { checksums: { md5 } },
      'c/d': { checksums: { md5 } },
      'new\nline\\': { checksums: { md5 } },
    });
    expect(found.problems.count).toBe(0);
  });

  it("should read a bag's escapes", async () => {
    expect(Object.keys(filesOf(await list(`${md5}  data/100%25%0A\n`, 'bagit')))).toEqual(['data/100%\n']);
  });

  it.each([
    ...[`${md5}  ../out`, `${md5}  /etc/passwd`, `${sha256}  a`, 'nonsense', `${md5}  a/../b`],
    `${md5}  ${'x'.repeat(maxLineLength)}`,
  ])('should refuse the line %j', async (line) => {
    const { named } = (await list(`${md5}  first\n${line}`)).problems;
    expect(named).toMatchObject([{ code: 'descriptor.invalid', path: 'md5sums.txt' }]);
    expect(named[0]?.message).toContain('line 2 ');
  });

  it('should refuse two different digests of one file, and count every such file', async () => {
    const other = md5.replace('c', 'd');
    const { problems } = await list(`${md5}  a\n${md5}  b\n${md5}  c\n${other}  a\n${md5}  b\n${other}  c\n`);
    expect(problems.count).toBe(2);
    expect(problems.named).toMatchObject([{ code: 'descriptor.invalid' }, { code: 'descriptor.invalid' }]);
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
    const found = read({
      title: 'T',
      resources: [
        { path: 'a', bytes: 1, hash: `sha256:${sha256}` },
        { path: 'b', hash: md5 },
        { path: ['c', 'd'], hash: md5 },
        { path: 'https://example.org/e', hash: md5 },
        { data: [] },
      ],
    });
    expect(found.title).toBe('T');
    expect(filesOf(found)).toEqual({
      a: { checksums: { sha256 }, size: 1 },
      b: { checksums: { md5 } },
      c: { checksums: {} },
      d: { checksums: {} },
    });
  });

  it.each([{ resources: [{ path: '../x' }] }, { resources: [{ path: '/x' }] }, { resources: 'x' }, [], 7])(
    'should refuse %j',
    (descriptor) => {
      expect(read(descriptor).problems.codes).toEqual(['descriptor.invalid']);
    },
  );
});

describe('a title', () => {
  it.each([
    ['datapackage.json', 'title', readDataPackage, (title: string): unknown => ({ title })],
    ['ro-crate-metadata.json', 'name', readRoCrate, (name: string) => ({ '@graph': [{ '@id': './', name }] })],
  ] as const)('of a %s should be refused where its %s is too long', (path, member, read, saying) => {
    const titled = (title: string): Declarations =>
      declared((into) => {
        read(into, Buffer.from(JSON.stringify(saying(title))));
      });
    const longest = 'x'.repeat(1_000);
    expect([titled(longest).title, titled(longest).problems.count]).toEqual([longest, 0]);
    const { title, problems } = titled(`${longest}x`);
    const message = `${path} cannot be used: its ${member} has 1001 characters; at most 1000 are taken.`;
    expect([title, problems.named]).toEqual([null, [{ code: 'descriptor.invalid', path, message }]]);
  });
});

describe(readBag.name, () => {
  it('should want every payload file listed, by a manifest that could be read', () => {
    const bag = (...names: string[]): Declarations =>
      declared((into) => {
        readBag(into, names);
      });
    expect(bag('manifest-md5.txt', 'tagmanifest-sha256.txt')).toMatchObject({
      isBag: true,
      completeFolders: ['data/'],
    });
    const [none, unknown] = [bag('tagmanifest-md5.txt'), bag('manifest-sha3.txt')];
    for (const { completeFolders, problems } of [none, unknown])
      expect([completeFolders, problems.codes]).toEqual([[], ['descriptor.invalid']]);
  });

  it('should take the oxum and the title', () => {
    const bag = declared((into) => {
      readBagInfo(into, Buffer.from('External-Description: T\nPayload-Oxum: 1.1\n'));
    });
    expect(bag).toMatchObject({ title: 'T', oxum: { bytes: 1, files: 1 } });
  });

  it('should not be held up by a title that is mostly blanks', () => {
    // So many that whoever takes the square of their number in steps does not end today.
    const title = `T${' '.repeat(5_000_000)}T`;
    const bag = declared((into) => {
      readBagInfo(into, Buffer.from(`External-Description: ${title} \nPayload-Oxum: 1.1\n`));
    });
    expect(bag).toMatchObject({ title: null, oxum: { bytes: 1, files: 1 } });
    expect(bag.problems.count).toBe(0);
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
    expect(filesOf(declarations)).toEqual({ 'a b': { checksums: { sha256 }, size: 1 } });
    expect(declarations.title).toBe('T');
  });
});
