import { listNamed, looksLikeList } from './list-names.js';

describe(listNamed.name, () => {
  it.each([
    ['SHA256SUMS', 'sha256'],
    ['sha256sum.txt', 'sha256'],
    ['SHA-512', 'sha512'],
    ['sha256.txt', 'sha256'],
    ['md5sums.txt', 'md5'],
    ['MD5.txt', 'md5'],
    ['MD5', 'md5'],
    ['md5_checksums.txt', 'md5'],
    ['md5checksums.txt', 'md5'],
    ['checksum.sha1', 'sha1'],
    ['checksums.md5', 'md5'],
    ['checksums_md5.txt', 'md5'],
    ['manifest.sha256', 'sha256'],
    ['manifest-sha256.txt', 'sha256'],
    ['checksums.txt', null],
    ['CHECKSUM', null],
    ['CHECKSUMS', null],
    ['SHASUMS256.txt', null],
  ])('should recognise %s as a list of the algorithm %s', (name, algorithm) => {
    expect(listNamed(name)).toEqual({ algorithm, stem: null });
  });

  it.each([
    ['reads.fastq.gz.md5', 'reads.fastq.gz', 'md5'],
    ['reads.bam.MD5', 'reads.bam', 'md5'],
    ['reads.bam.sha256sum', 'reads.bam', 'sha256'],
    ['reads.bam.md5.txt', 'reads.bam', 'md5'],
    ['run42.sha512', 'run42', 'sha512'],
  ])('should recognise %s as the checksum of %s', (name, stem, algorithm) => {
    expect(listNamed(name)).toEqual({ algorithm, stem });
  });

  it.each(['notes.txt', 'sha3sums', 'md5.c', '._reads.fastq.gz.md5', 'reads.md5.gz'])(
    'should not recognise %s',
    (name) => {
      expect(listNamed(name)).toBeNull();
    },
  );
});

describe(looksLikeList.name, () => {
  it.each([
    ...['sha3sums', 'B2SUMS', 'reads.bam.blake3', 'reads.bam.sha3-256', 'files.sfv', 'reads.bam.crc32', 'run_md5.txt'],
    ...['SHA256SUMS.asc', 'sha256sums.asc.txt', 'md5sum_run42.txt', 'checksums.csv', 'manifest-blake2b512.txt'],
  ])('should recognise %s as a possible list', (name) => {
    expect(looksLikeList(name)).toBe(true);
  });

  it.each(['notes.txt', 'md5.c', 'sha256.py', 'reads.bam', '._files.sfv', 'crc_patients.txt', 'sample_b2.csv'])(
    'should not recognise %s',
    (name) => {
      expect(looksLikeList(name)).toBe(false);
    },
  );
});
