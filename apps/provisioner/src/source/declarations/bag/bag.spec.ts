import { declared, filesOf, md5, messagesOf, sha256 } from '../../../../test/support/declared.js';
import { Declarations } from '../declarations.js';
import { readerOf } from '../descriptors.js';
import { concludeBag, manifestsWithout } from './bag-rules.js';

/** Reads the files of a bag in this order. */
function read(files: Readonly<Record<string, string | Buffer>>): Declarations {
  const into = new Declarations();
  for (const [path, text] of Object.entries(files)) {
    declared(text, () => readerOf({ path }, into) ?? { write: () => undefined, end: () => undefined }, { into, path });
  }
  concludeBag(into);
  return into;
}

const bagOf = (version: string, encoding = 'UTF-8'): string =>
  `BagIt-Version: ${version}\nTag-File-Character-Encoding: ${encoding}\n`;

describe('bagit.txt', () => {
  it.each(['0.93', '0.97', '1.0'])('should be read when the version is %s', (version) => {
    const found = read({ 'bagit.txt': bagOf(version).replaceAll('\n', '\r\n'), 'manifest-md5.txt': `${md5} data/a` });
    expect([found.bag, messagesOf(found)]).toEqual([{ version, encoding: undefined }, []]);
  });

  it.each([
    ['a wrong version', bagOf('.97'), 'its BagIt-Version must be one of'],
    ['a later version', bagOf('2.0'), 'its BagIt-Version must be one of'],
    ['no version', bagOf('1.0').replace('BagIt-', ''), 'its line 1 must be "BagIt-Version: <value>"'],
    ['no encoding', bagOf('1.0').slice(0, 19), 'its line 2 must be "Tag-File-Character-Encoding: <value>"'],
    ['an unknown encoding', bagOf('0.97', 'EBCDIC'), 'its Tag-File-Character-Encoding "EBCDIC" is not supported'],
    ['a byte order mark', `\uFEFF${bagOf('1.0')}`, 'it must not begin with a byte order mark'],
    ['a third line', `${bagOf('1.0')}More: x\n`, 'it must have 2 lines'],
    ['a blank before a colon', bagOf('1.0').replace('Version:', 'Version :'), 'its BagIt-Version must be followed by'],
  ])('should be refused when it has %s', (_, text, reason) => {
    const found = read({ 'bagit.txt': text, 'manifest-md5.txt': `${md5}  data/a\n` });
    expect(messagesOf(found)).toEqual([expect.stringContaining(`bagit.txt cannot be used: ${reason}`)]);
  });

  it('should be read with blanks before a colon when the version is earlier than 1.0', () => {
    const text = bagOf('0.97').replace('Version:', 'Version :');
    expect(messagesOf(read({ 'bagit.txt': text, 'manifest-md5.txt': `${md5}  data/a\n` }))).toEqual([]);
  });

  it('should be reported as missing when there is a payload manifest', () => {
    const found = read({ 'manifest-md5.txt': `${md5}  data/a\n` });
    expect(found.problems.named).toMatchObject([{ code: 'file.missing', path: 'bagit.txt' }]);
    expect(filesOf(found)).toEqual({ 'data/a': { checksums: { md5 } } });
  });
});

describe('a manifest of a bag', () => {
  it.each([
    ['UTF-16', Buffer.from(`\uFEFF${md5}  data/é\n`, 'utf16le')],
    ['UTF-16', Buffer.from(`\uFEFF${md5}  data/é\n`, 'utf16le').swap16()],
    ['UTF-16', Buffer.from(`${md5}  data/é\n`, 'utf16le').swap16()],
    ['ISO-8859-1', Buffer.from(`${md5}  data/é\n`, 'latin1')],
    ['UTF-8', Buffer.from(`\uFEFF${md5}  data/é\n`)],
  ])('should be read in %s', (encoding, manifest) => {
    const found = read({ 'bagit.txt': bagOf('0.97', encoding), 'manifest-md5.txt': manifest });
    expect([Object.keys(filesOf(found)), messagesOf(found)]).toEqual([['data/é'], []]);
  });

  it.each([
    ['1.0', ['data/100%\n']],
    ['0.97', ['data/100%25\n']],
  ])('should decode the escapes of version %s', (version, paths) => {
    const found = read({ 'bagit.txt': bagOf(version), 'manifest-md5.txt': `${md5}  ./data/100%25%0A\n` });
    expect(Object.keys(filesOf(found))).toEqual(paths);
  });

  it.each(['../a', '/data/a', 'a', '~/data/a', 'C:\\data\\a', 'data/../../a', 'data/'])(
    'should be refused when it lists the path %j',
    (path) => {
      const found = read({ 'bagit.txt': bagOf('1.0'), 'manifest-md5.txt': `${md5}  data/a\n${md5}  ${path}\n` });
      const reason = 'manifest-md5.txt cannot be used: line 2 must be "<md5>  <path below data/>".';
      expect(messagesOf(found)).toContain(reason);
    },
  );

  it.each([
    ['0.97', []],
    ['1.0', ['manifest-md5.txt cannot be used: it lists "data/a" twice.']],
  ])('should be judged by version %s when it lists a file twice', (version, messages) => {
    const found = read({ 'bagit.txt': bagOf(version), 'manifest-md5.txt': `${md5}  data/a\n`.repeat(2) });
    expect(messagesOf(found)).toEqual(messages);
  });

  it.each([
    ['0.97', [], ['manifest-md5.txt', 'manifest-sha256.txt']],
    ['1.0', ['manifest-sha256.txt'], ['manifest-md5.txt', 'manifest-sha256.txt']],
  ])('should be required to list a file by version %s', (version, withoutOne, withoutAll) => {
    const found = read({
      ...{ 'bagit.txt': bagOf(version), 'manifest-md5.txt': `${md5}  data/a\n${md5}  data/b\n` },
      'manifest-sha256.txt': `${sha256}  data/a\n`,
    });
    const listedIn = (path: string): number => found.files.markExisting(path)?.listed ?? 0;
    expect(['data/a', 'data/b', 'data/c'].map((path) => manifestsWithout(found, listedIn(path)))).toEqual([
      ...[[], withoutOne, withoutAll],
    ]);
  });

  it('should be reported when its algorithm is not supported', () => {
    const found = read({
      ...{ 'bagit.txt': bagOf('1.0'), 'manifest-md5.txt': `${md5}  data/a\n` },
      ...{ 'manifest-blake2b512.txt': '', 'tagmanifest-sha3-256.txt': '' },
    });
    expect(found.problems.named.map(({ code, path }) => [code, path])).toEqual([
      ['checksum.not_compared', 'manifest-blake2b512.txt'],
      ['checksum.not_compared', 'tagmanifest-sha3-256.txt'],
    ]);
  });

  it('should be required', () => {
    expect(read({ 'bagit.txt': bagOf('1.0') }).problems.codes).toEqual(['descriptor.invalid']);
  });

  it('should be read as a list when the bag is in a folder, and only be reported when it is in the payload of a bag', () => {
    const inner = { 's/manifest-md5.txt': `${md5}  data/a\n` };
    expect(Object.keys(filesOf(read(inner)))).toEqual(['s/data/a']);
    const found = read({ 'bagit.txt': bagOf('1.0'), ...inner, 'manifest-md5.txt': `${md5}  data/a\n` });
    expect(found.problems.codes).toEqual(['checksum.not_compared']);
  });
});

describe('fetch.txt', () => {
  it('should declare files, which are not fetched', () => {
    const fetch = 'http://example.org/a - data/a\r\nhttp://example.org/b 12 data/b b\r\n';
    const found = read({ 'bagit.txt': bagOf('1.0'), 'fetch.txt': fetch, 'manifest-md5.txt': `${md5}  data/a\n` });
    expect([...found.files.missing()]).toMatchObject([
      { path: 'data/a', isFetched: true },
      { path: 'data/b b', isFetched: true },
    ]);
  });

  it.each(['http://example.org/a - ../a', 'http://example.org/a - bagit.txt', 'http://example.org/a data/a'])(
    'should be refused when it has the line %j',
    (line) => {
      const found = read({ 'bagit.txt': bagOf('1.0'), 'fetch.txt': line, 'manifest-md5.txt': `${md5}  data/a\n` });
      expect(messagesOf(found)).toEqual([
        'fetch.txt cannot be used: line 1 must be "<URL> <length> <path below data/>".',
      ]);
    },
  );
});
