import { execFile } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeTree } from '../src/storage/posix/remove-tree.js';
import { conformanceBags } from './support/conformance-bags.js';
import { aBag, digest, layFiles, type Files } from './support/delivery.js';
import { Engine } from './support/engine.js';
import { pythonPackage } from '../../../test/support/python-package.ts';

const run = promisify(execFile);

/** Bags of the conformance suite for which bagit accepts what the suite calls invalid, or refuses what it calls valid. */
const differences: readonly string[] = [
  'v0.97/warning/same-filename-listed-twice-with-different-normalization',
  ...['absolute-path', 'shortcut', 'unc'].map(
    (kind) => `v0.97/windows-only/out-of-scope-file-paths-using-${kind}-for-fetch`,
  ),
  'v1.0/invalid/bagit-with-invalid-whitespace',
];

const bag = aBag({ a: '1', b: '22' });
const md5 = (text: string): string => digest('md5', text);
const sha256 = (text: string): string => digest('sha256', text);

/** Own bags, which bagit and the import must judge alike. */
const ownBags: Readonly<Record<string, Files>> = {
  right: { ...bag, 'bag-info.txt': 'Payload-Oxum: 3.2\n' },
  'wrong-oxum': { ...bag, 'bag-info.txt': 'Payload-Oxum: 4.2\n' },
  'half-a-manifest-before-1.0': {
    ...bag,
    'bagit.txt': 'BagIt-Version: 0.97\nTag-File-Character-Encoding: UTF-8\n',
    'manifest-sha256.txt': `${sha256('1')}  data/a\n`,
  },
  'two-manifests': { ...bag, 'manifest-sha256.txt': `${sha256('1')}  data/a\n${sha256('22')}  data/b\n` },
  'wrong-tag-manifest': { ...bag, 'tagmanifest-md5.txt': `${md5('')}  bagit.txt\n` },
  'a-file-too-many': { ...bag, 'data/c': '' },
  'another-version': { ...bag, 'bagit.txt': 'BagIt-Version: x\nTag-File-Character-Encoding: UTF-8\n' },
  'a-missing-file': { ...bag, 'manifest-md5.txt': `${md5('1')}  data/a\n${md5('22')}  data/b\n${md5('')}  data/c\n` },
};

/** Own bags that RFC 8493 calls invalid and bagit accepts. */
const stricter: Readonly<Record<string, Files>> = {
  'half-a-manifest': { ...bag, 'manifest-sha256.txt': `${sha256('1')}  data/a\n` },
  'fetch-of-an-unlisted-file': { ...bag, 'fetch.txt': 'http://localhost:9/c - data/c\n' },
};

describe('a bag that bagit judges', () => {
  let programs: string;
  let root: string;
  let engine: Engine;

  beforeAll(async () => {
    programs = await pythonPackage('bagit', '1.9.0');
    root = await mkdtemp(join(tmpdir(), 'bags-'));
    await mkdir(join(root, 'storage'));
    await mkdir(join(root, 'source'));
    engine = new Engine(root);
  }, 300_000);

  afterAll(async () => {
    await engine.close();
    await removeTree(root);
  });

  async function isValid(folder: string): Promise<boolean> {
    const env = { ...process.env, LC_ALL: 'C.UTF-8' };
    try {
      await run(join(programs, 'python'), [join(programs, 'bagit.py'), '--validate', '--quiet', folder], { env });
      return true;
    } catch (error) {
      if ((error as { code?: unknown }).code === 1) return false;
      throw error;
    }
  }

  it.each(conformanceBags().map(({ path, folder }) => [path, folder] as const))(
    'should be imported only if it is valid: %s',
    async (path, folder) => {
      const id = path.replaceAll('/', '-');
      await run('mkdir', ['-p', join(root, 'source/SUB-1')]);
      await run('cp', ['-a', folder, join(root, 'source/SUB-1', id)]);
      const agrees = (await engine.isImported(id)) === (await isValid(folder));
      expect(agrees).toBe(!differences.includes(path));
    },
  );

  it.each(Object.entries(ownBags))('should be imported only if it is valid: own bag %s', async (id, files) => {
    const folder = join(root, 'source/SUB-2', id);
    await layFiles(folder, files);
    expect(await engine.isImported(id)).toBe(await isValid(folder));
  });

  it.each(Object.entries(stricter))('should be rejected although bagit accepts it: own bag %s', async (id, files) => {
    const folder = join(root, 'source/SUB-3', id);
    await layFiles(folder, files);
    expect([await engine.isImported(id), await isValid(folder)]).toEqual([false, true]);
  });
});
