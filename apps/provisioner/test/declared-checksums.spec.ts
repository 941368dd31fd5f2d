import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportFailure } from '../src/model/failure.js';
import type { Integrity } from '../src/model/integrity.js';
import { removeTree } from '../src/storage/posix/remove-tree.js';
import { digest, layFiles, type Files } from './support/delivery.js';
import { Engine } from './support/engine.js';

/** Four files in the folders of two samples. */
const reads: Readonly<Record<string, string>> = {
  'S1/S1_R1.fastq.gz': 'one',
  'S1/S1_R2.fastq.gz': 'two',
  'S2/S2_R1.fastq.gz': 'three',
  'S2/S2_R2.fastq.gz': 'four',
};

/** The file whose declared digest is wrong in the second delivery of each form. */
const wrong = 'S2/S2_R1.fastq.gz';

type Digest = (path: string, algorithm?: string) => string;

/** Returns the lines of all files. */
const lines = (of: Digest, line: (digest: string, path: string) => string, algorithm?: string): string =>
  Object.keys(reads)
    .map((path) => `${line(of(path, algorithm), path)}\n`)
    .join('');

const plain = (value: string, path: string): string => `${value}  ${path}`;

const list = (name: string, algorithm = 'md5'): [string, (of: Digest) => Files] => [
  name,
  (of) => ({ [`DS-1/${name}`]: lines(of, plain, algorithm) }),
];

/** Returns one list for each file. */
const forEach = (name: (path: string) => string, line: (value: string, path: string) => string) => (of: Digest) =>
  Object.fromEntries(Object.keys(reads).map((path) => [`DS-1/${name(path)}`, line(of(path), path)]));

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Forms in which sequencing centres and archives declare checksums: the files of a delivery in addition to the reads. */
const forms: readonly (readonly [string, (of: Digest) => Files])[] = [
  ...['md5sum.txt', 'MD5.txt', 'md5.txt', 'md5sums', 'MD5SUMS', 'checksums.md5', 'checksums.txt'].map((name) =>
    list(name),
  ),
  ...['run42.md5', 'md5_checksums.txt', 'md5checksums.txt', 'checksums_md5.txt', 'CHECKSUM'].map((name) => list(name)),
  ...['SHA256SUMS', 'sha256sum.txt', 'sha256.txt', 'manifest.sha256'].map((name) => list(name, 'sha256')),
  list('SHA512SUMS', 'sha512'),
  [
    'a digest and a name next to each file',
    forEach(
      (path) => `${path}.md5`,
      (value, path) => plain(value, nameOf(path)),
    ),
  ],
  [
    'a digest next to each file',
    forEach(
      (path) => `${path}.md5`,
      (value) => value,
    ),
  ],
  [
    'a path from elsewhere next to each file',
    forEach(
      (path) => `${path}.md5`,
      (value, path) => plain(value, `/run/${path}`),
    ),
  ],
  [
    'a digest in a folder of checksums',
    forEach(
      (path) => `sums/${nameOf(path)}.md5`,
      (value, path) => plain(value, nameOf(path)),
    ),
  ],
  [
    'a list in the folder of each sample',
    (of) =>
      Object.fromEntries(
        ['S1', 'S2'].map((sample) => {
          const paths = Object.keys(reads).filter((path) => path.startsWith(sample));
          return [`DS-1/${sample}/md5sum.txt`, paths.map((path) => `${of(path)} *${nameOf(path)}\r\n`).join('')];
        }),
      ),
  ],
  [
    'tagged lines',
    (of) => ({ 'DS-1/SHA256SUMS': lines(of, (value, path) => `SHA256 (${path}) = ${value}`, 'sha256') }),
  ],
  ['comments', (of) => ({ 'DS-1/md5sum.txt': `# made by a core\n${lines(of, plain)}` })],
  ['absolute paths', (of) => ({ 'DS-1/md5sum.txt': lines(of, (value, path) => plain(value, `/data/run42/${path}`)) })],
  ['names without folders', (of) => ({ 'DS-1/md5sum.txt': lines(of, (value, path) => plain(value, nameOf(path))) })],
  ['upper case', (of) => ({ 'DS-1/md5sum.txt': lines(of, (value, path) => `${value.toUpperCase()}\t./${path}`) })],
  ['a byte order mark', (of) => ({ 'DS-1/md5sum.txt': `\uFEFF${lines(of, plain)}` })],
  ['UTF-16', (of) => ({ 'DS-1/md5sum.txt': Buffer.from(`\uFEFF${lines(of, plain)}`, 'utf16le') })],
  ['a line about the list', (of) => ({ 'DS-1/md5sum.txt': `${lines(of, plain)}${digest('md5', '')}  md5sum.txt\n` })],
  ['a list of the submission', (of) => ({ 'md5sum.txt': lines(of, (value, path) => plain(value, `DS-1/${path}`)) })],
  ['a list of the submission named after the dataset', (of) => ({ 'DS-1.md5': lines(of, plain) })],
];

describe('a delivery that declares checksums', () => {
  let root: string;
  let engine: Engine;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'declared-'));
    await mkdir(join(root, 'storage'));
    await mkdir(join(root, 'source'));
    engine = new Engine(root);
  });

  afterAll(async () => {
    await engine.close();
    await removeTree(root);
  });

  /** Imports a delivery under an id of its own. @returns the failure, or null if the dataset was imported */
  async function failureOf(id: string, files: Files): Promise<ImportFailure | null> {
    await deliver(id, files);
    return engine.failureOf(id);
  }

  /** Writes a delivery whose dataset has an id of its own. */
  async function deliver(id: string, files: Files): Promise<void> {
    const renamed = Object.entries(files).map(([path, bytes]) => {
      const text = path.startsWith('DS-1/') ? bytes : bytes.toString().replaceAll('DS-1/', `${id}/`);
      return [path.replace('DS-1', id), text] as const;
    });
    await layFiles(join(root, 'source', `SUB-${id}`), Object.fromEntries(renamed));
  }

  /** Imports a delivery under an id of its own. @returns the comparison that the import reports */
  async function integrityOf(id: string, files: Files): Promise<Integrity | null> {
    await deliver(id, files);
    return (await engine.import(id)).integrity;
  }

  const payload = Object.fromEntries(Object.entries(reads).map(([path, bytes]) => [`DS-1/${path}`, bytes]));

  it.each(forms.map(([name, files], at) => [name, `F${String(at)}`, files] as const))(
    'should be imported when the digests are right and rejected when one is wrong: %s',
    async (_, id, files) => {
      const right: Digest = (path, algorithm = 'md5') => digest(algorithm, reads[path] ?? '');
      const oneWrong: Digest = (path, algorithm = 'md5') =>
        digest(algorithm, path === wrong ? 'x' : (reads[path] ?? ''));
      expect(await integrityOf(id, { ...payload, ...files(right) })).toMatchObject({ compared: 4 });
      const failure = await failureOf(`${id}-wrong`, { ...payload, ...files(oneWrong) });
      expect(failure?.problems).toMatchObject([{ code: 'checksum.mismatch', path: wrong }]);
    },
  );

  it.each([
    ['NFC', 'NFD'],
    ['NFD', 'NFC'],
  ])('should be compared when the list is in %s and the files are in %s', async (ofList, ofFiles) => {
    const name = 'Müller é.fastq';
    const files = (value: string): Files => ({
      [`DS-1/${name.normalize(ofFiles)}`]: 'one',
      'DS-1/SHA256SUMS': `${digest('sha256', value)}  ${name.normalize(ofList)}\n`,
    });
    expect(await failureOf(ofList, files('one'))).toBeNull();
    expect(await failureOf(`${ofList}-wrong`, files('two'))).toMatchObject({ code: 'checksum.mismatch' });
  });

  it('should report its compared files, and the lists that were not compared', async () => {
    const lines = `${digest('md5', 'one')}  S1/S1_R1.fastq.gz\n`;
    const files = { ...payload, 'DS-1/md5sum.txt': lines, 'DS-1/S2/S2_R1.fastq.gz.blake3': 'f00d' };
    const integrity = await integrityOf('PARTLY', files);
    expect(integrity).toMatchObject({ files: 6, compared: 1, algorithms: ['md5'] });
    expect(integrity?.not_compared).toEqual([
      { path: 'S2/S2_R1.fastq.gz.blake3', reason: expect.stringContaining('is not compared') as string },
    ]);
  });

  it('should report no compared file when no checksum is declared', async () => {
    expect(await integrityOf('NONE', payload)).toEqual({ files: 4, compared: 0, algorithms: [], not_compared: [] });
  });

  it('should report the first 20 lists when more lists are not compared', async () => {
    const lists: Files = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`DS-1/${String(at)}.blake3`, '']));
    const integrity = await integrityOf('MANY', { ...payload, ...lists });
    expect(integrity?.not_compared).toHaveLength(20);
  });

  it.each([
    ['REQUIRE_CHECKSUMS is refuse', { REQUIRE_CHECKSUMS: 'refuse' }, 'checksum.undeclared'],
    ['the submission must declare checksums', { REQUIRE_CHECKSUMS_OF: 'OTHER-,SUB-REQ' }, 'checksum.undeclared'],
    ['REQUIRE_CHECKSUMS is warn', { REQUIRE_CHECKSUMS: 'warn' }, null],
    ['another submission must declare checksums', { REQUIRE_CHECKSUMS_OF: 'OTHER-' }, null],
  ])('should be rejected or imported without checksums when %s', async (_, settings, code) => {
    const id = `REQ-${String(Object.values(settings)[0]).replace(',', '-')}`;
    const strict = new Engine(root, settings);
    await deliver(id, payload);
    const outcome = await strict.import(id).then(
      () => null,
      (error: unknown) => (error as ImportFailure).code,
    );
    await strict.close();
    expect(outcome).toBe(code);
  });

  it('should be imported with a checksum of one file when checksums are required', async () => {
    const strict = new Engine(root, { REQUIRE_CHECKSUMS: 'refuse' });
    await deliver('REQ-ONE', { ...payload, 'DS-1/md5sum.txt': `${digest('md5', 'one')}  S1/S1_R1.fastq.gz\n` });
    expect((await strict.import('REQ-ONE')).integrity).toMatchObject({ compared: 1 });
    await strict.close();
  });

  it('should be rejected when a crate states a wrong digest in a property of a file', async () => {
    const property = { '@type': 'PropertyValue', name: 'md5', value: digest('md5', 'x') };
    const crate = { '@graph': [{ '@id': 'a', '@type': 'File', additionalProperty: property }] };
    const failure = await failureOf('CRATE', { 'DS-1/a': '1', 'DS-1/ro-crate-metadata.json': JSON.stringify(crate) });
    expect(failure?.problems).toMatchObject([{ code: 'checksum.mismatch', path: 'a' }]);
  });

  it('should be rejected when a crate lists a file that is missing', async () => {
    const crate = {
      '@graph': [
        { '@id': './', hasPart: { '@id': 'b' } },
        { '@id': 'b', '@type': 'File' },
      ],
    };
    const failure = await failureOf('PARTS', { 'DS-1/a': '1', 'DS-1/ro-crate-metadata.json': JSON.stringify(crate) });
    expect(failure?.problems).toMatchObject([{ code: 'file.missing', path: 'b' }]);
  });

  it('should be rejected when a data package in YAML states a wrong digest', async () => {
    const yaml = `resources: [{ path: ./a, hash: "${digest('md5', 'x')}" }]\n`;
    const failure = await failureOf('YAML', { 'DS-1/a': '1', 'DS-1/datapackage.yaml': yaml });
    expect(failure?.problems).toMatchObject([{ code: 'checksum.mismatch', path: 'a' }]);
  });

  it('should be rejected when a data package in YAML needs too much memory', async () => {
    const yaml = `resources: [${'[],'.repeat(87_000)}]`;
    const failure = await failureOf('DENSE', { 'DS-1/a': '1', 'DS-1/datapackage.yaml': yaml });
    expect(failure?.problems[0]?.code).toMatch(/^descriptor\./);
  });

  it('should be rejected when a name without a folder is that of several files', async () => {
    const files = { 'DS-1/S1/a': '1', 'DS-1/S2/a': '1', 'DS-1/md5sum.txt': `${digest('md5', '1')}  a\n` };
    const failure = await failureOf('AMBIGUOUS', files);
    expect(failure?.problems).toMatchObject([{ code: 'file.missing', path: 'a' }]);
    expect(failure?.message).toContain('2 files have this name');
  });

  it('should be rejected when a listed file is missing', async () => {
    const files = { 'DS-1/a': '1', 'DS-1/b.md5': digest('md5', '1') };
    expect((await failureOf('LATE', files))?.problems).toMatchObject([{ code: 'file.missing', path: 'b' }]);
  });
});
