import { declared, filesOf, md5, messagesOf, sha256 } from '../../../../test/support/declared.js';
import type { Declarations } from '../declarations.js';
import { readerOf, type DescriptorOrder } from '../descriptors.js';
import { maxLineLength } from '../lines.js';
import { ChecksumListReader } from './checksum-list.js';

describe(ChecksumListReader.name, () => {
  function list(path: string, text: string | Buffer, submission?: DescriptorOrder['submission']): Declarations {
    return declared(text, (into) => {
      const reader = readerOf({ path, ...(submission && { submission }) }, into);
      if (!reader) throw new Error(`${path} is not read`);
      return reader;
    });
  }

  const other = md5.replace('c', 'd');

  it("should read both of coreutils' forms, and its escapes", () => {
    const found = list('md5sum.txt', `${md5}  a b\n${md5.toUpperCase()} *./c/d\r\n\\${md5}  new\\nline\\\\\n\n`);
    expect(filesOf(found)).toEqual({
      'a b': { checksums: { md5 } },
      'c/d': { checksums: { md5 } },
      'new\nline\\': { checksums: { md5 } },
    });
    expect(found.problems.count).toBe(0);
  });

  it.each([
    ['BSD', `MD5 (a) = ${md5}\nSHA256 (b (1).txt) = ${sha256}\n`],
    ['OpenSSL', `MD5(a)= ${md5}\nSHA2-256(b (1).txt)= ${sha256}\n`],
  ])('should read the tagged lines of %s, which state their algorithm', (_, text) => {
    expect(filesOf(list('md5sum.txt', text))).toEqual({
      a: { checksums: { md5 } },
      'b (1).txt': { checksums: { sha256 } },
    });
  });

  it('should determine the algorithm by the digest when the name of the list states none', () => {
    expect(filesOf(list('CHECKSUM', `${md5}  a\n${sha256}  a\n`))).toEqual({ a: { checksums: { md5, sha256 } } });
  });

  it.each([
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${md5}  é\n`)],
    ['UTF-16', Buffer.from(`\uFEFF${md5}  é\r\n`, 'utf16le')],
  ])('should read a list in %s', (_, bytes) => {
    expect(filesOf(list('md5.txt', bytes))).toEqual({ é: { checksums: { md5 } } });
  });

  it('should skip comments and the signature of a signed list', () => {
    const begin = '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n# a comment\n; another\n';
    const end = `-----BEGIN PGP SIGNATURE-----\n\n${md5}  x\nnonsense\n-----END PGP SIGNATURE-----\n`;
    const found = list('MD5SUMS', `${begin}${md5}  a\n${end}`);
    expect([Object.keys(filesOf(found)), found.problems.count]).toEqual([['a'], 0]);
  });

  it.each([
    ['a digest alone', md5],
    ['a digest alone before blanks', `${md5}  \n`],
    ['the name', `${md5}  r1.gz\n`],
    ['a path from elsewhere', `${md5}  /scratch/run/r1.gz\n`],
    ['the path from the top', `${md5}  S1/r1.gz\n`],
  ])('should read the checksum next to a file from a line with %s', (_, text) => {
    expect(filesOf(list('S1/r1.gz.md5', text))).toEqual({ 'S1/r1.gz': { checksums: { md5 } } });
  });

  it('should count paths from the folder of the list', () => {
    expect(Object.keys(filesOf(list('S1/sums/md5.txt', `${md5}  a\n${md5}  ../b\n${md5}  ./c//d\n`)))).toEqual([
      ...['S1/sums/a', 'S1/b', 'S1/sums/c/d'],
    ]);
  });

  it.each([
    ...[`${md5}  ../out`, `${sha256}  a`, 'nonsense', `a  ${md5}`, md5, `MD5 (a) = ${sha256}`],
    `${md5}  ${'x'.repeat(maxLineLength)}`,
    `${md5}  ${'x'.repeat(4097)}`,
  ])('should refuse the line %j', (line) => {
    const { named } = list('md5sums.txt', `${md5}  first\n${line}`).problems;
    expect(named).toMatchObject([{ code: 'descriptor.invalid' }]);
    expect(named[0]?.message).toContain('line 2 ');
  });

  it('should refuse each file that has two different digests', () => {
    const { problems } = list('md5sums', `${md5}  a\n${md5}  b\n${md5}  c\n${other}  a\n${md5}  b\n${other}  c\n`);
    expect(problems.count).toBe(2);
    expect(problems.named).toMatchObject([{ code: 'descriptor.invalid' }, { code: 'descriptor.invalid' }]);
  });

  it.each([
    ['md5sum.txt', `${md5}  a\n${other}  ./md5sum.txt\n`, '1 of its lines declare the list itself'],
    ['CHECKSUMS', '12345 678 a\n54321 9 b\n', '2 of its lines have an algorithm that is not supported'],
    ['md5.txt', `BLAKE2b (a) = ${sha256}\n`, '1 of its lines have an algorithm that is not supported'],
    ['checksums.txt', `${'0'.repeat(48)}  a\n`, '1 of its lines have an algorithm that is not supported'],
    ['SHA256SUMS', '\n# empty\n', 'it contains no checksum'],
  ])('should report that %s is not compared completely', (path, text, reason) => {
    const { problems } = list(path, text);
    const message = `${path} is not compared, or not completely: ${reason}.`;
    expect(problems.named).toEqual([{ code: 'checksum.not_compared', path, message }]);
  });

  it('should report a file that only looks like a list', () => {
    expect(() => list('S1/x.blake3', '')).toThrow('is not read');
  });

  describe('at the top of a submission', () => {
    const text = [
      ...['DS-1/a', './DS-1/s/b', '/data/SUB-1/DS-1/c', 'DS-2/a', '/data/SUB-1/DS-2/a', 'agreement.pdf', 'reads.gz'],
    ].map((path) => `${md5}  ${path}\n`);

    it('should declare the files of the dataset', () => {
      const found = list('../md5sum.txt', text.join(''), { dataset: 'DS-1', documents: ['agreement.pdf'] });
      expect(Object.keys(filesOf(found))).toEqual(['a', 's/b', 'c']);
      expect(messagesOf(found)).toEqual([
        '../md5sum.txt is not compared, or not completely: 1 of its lines state neither a document of the submission nor the folder of a dataset.',
      ]);
    });

    it('should declare the documents of the submission', () => {
      const found = list('md5sum.txt', text.join(''), { dataset: null, documents: ['agreement.pdf'] });
      expect(Object.keys(filesOf(found))).toEqual(['agreement.pdf']);
    });

    it('should declare the files of the dataset after which the list is named', () => {
      const found = list('../DS-1.md5', `${md5}  s/a\n${md5}  DS-1/b\n`, { dataset: 'DS-1', documents: [] });
      expect(Object.keys(filesOf(found))).toEqual(['s/a', 'b']);
    });
  });
});
