import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FailureCode } from '../src/model/failure-code.js';
import type { ImportFailure } from '../src/model/failure.js';
import { removeTree } from '../src/storage/posix/remove-tree.js';
import { conformanceBags, type ConformanceBag } from './support/conformance-bags.js';
import { Engine } from './support/engine.js';

/** The code of a rejection, the path of the reported file, and a part of the message. */
type Rejection = readonly [code: FailureCode, path: string, message: string];

const line3: Rejection = ['descriptor.invalid', 'manifest-md5.txt', 'line 3 must be "<md5>  <path below data/>"'];
const fetch1: Rejection = ['descriptor.invalid', 'fetch.txt', 'line 1 must be "<URL> <length> <path below data/>"'];

/** The bags that are rejected, each for the reason in its name. */
const rejections: Readonly<Record<string, Rejection>> = {
  'v0.97/invalid/baginfo-missing-encoding': ['descriptor.invalid', 'bagit.txt', 'Tag-File-Character-Encoding'],
  'v0.97/invalid/bom-in-bagit.txt': ['descriptor.invalid', 'bagit.txt', 'byte order mark'],
  'v0.97/invalid/corrupt-data-file': ['size.mismatch', 'bag-info.txt', 'Payload-Oxum'],
  'v0.97/invalid/corrupt-tag-file': ['checksum.mismatch', 'bag-info.txt', 'deadbeef'],
  'v0.97/invalid/extra-file-in-bag': ['file.unlisted', 'data/bar', 'is not in manifest-md5.txt'],
  'v0.97/invalid/invalid-version-number': ['descriptor.invalid', 'bagit.txt', 'BagIt-Version'],
  'v0.97/invalid/missing-baginfo': ['file.missing', 'bag-info.txt', 'missing'],
  'v0.97/invalid/missing-bagit.txt': ['file.missing', 'bagit.txt', 'missing'],
  'v0.97/invalid/out-of-scope-file-paths-using-dot-notation': line3,
  'v0.97/invalid/out-of-scope-file-paths-using-dot-notation-for-fetch': fetch1,
  'v0.97/invalid/same-filename-listed-twice-with-different-hashes': [
    ...(['descriptor.invalid', 'manifest-sha256.txt', 'contradicts'] as const),
  ],
  'v0.97/linux-only/out-of-scope-file-paths-using-absolute-path': line3,
  'v0.97/linux-only/out-of-scope-file-paths-using-absolute-path-for-fetch': fetch1,
  'v0.97/linux-only/out-of-scope-file-paths-using-shortcut': line3,
  'v0.97/linux-only/out-of-scope-file-paths-using-shortcut-for-fetch': fetch1,
  'v0.97/linux-only/out-of-scope-file-paths-using-shortcut-username': line3,
  'v0.97/linux-only/out-of-scope-file-paths-using-shortcut-username-for-fetch': fetch1,
  'v0.97/windows-only/out-of-scope-file-paths-using-absolute-path': line3,
  'v0.97/windows-only/out-of-scope-file-paths-using-absolute-path-for-fetch': fetch1,
  'v0.97/windows-only/out-of-scope-file-paths-using-shortcut': line3,
  'v0.97/windows-only/out-of-scope-file-paths-using-shortcut-for-fetch': fetch1,
  'v0.97/windows-only/out-of-scope-file-paths-using-unc': line3,
  'v0.97/windows-only/out-of-scope-file-paths-using-unc-for-fetch': fetch1,
  // The suite expects a warning for these bags, which lack a file.
  'v0.97/warning/duplicate-file-with-different-case': ['file.missing', 'data/HELLO.txt', 'missing'],
  'v0.97/warning/special-system-files': ['file.missing', 'data/.DS_Store', 'missing'],
  'v1.0/invalid/bagit-with-invalid-whitespace': ['descriptor.invalid', 'bagit.txt', 'without a blank'],
  'v1.0/invalid/notAllManifestsListAllFiles': ['file.unlisted', 'data/missingFromManifest.txt', 'is not in manifest'],
  'v1.0/invalid/same-filename-listed-twice-with-different-hashes': [
    ...(['descriptor.invalid', 'manifest-sha256.txt', 'contradicts'] as const),
  ],
  'v1.0/invalid/same-filename-listed-twice-with-the-same-hash': ['descriptor.invalid', 'manifest-sha256.txt', 'twice'],
};

const bags = conformanceBags().map((bag) => [bag.path, bag] as const);

describe("the import of a bag of the Library of Congress' conformance suite", () => {
  let root: string;
  let engine: Engine;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'bags-'));
    await mkdir(join(root, 'storage'));
    engine = new Engine(root);
  });

  afterAll(async () => {
    await engine.close();
    await removeTree(root);
  });

  /** Imports a bag. @returns its failure, or null if it was imported */
  async function failureOf({ path, folder }: ConformanceBag): Promise<ImportFailure | null> {
    const id = path.replaceAll('/', '-');
    await cp(folder, join(root, 'source/SUB-1', id), { recursive: true });
    return engine.failureOf(id);
  }

  it('should know all bags of the suite', () => {
    expect(bags).toHaveLength(60);
    const invalid = bags.filter(([, { kind }]) => ['invalid', 'linux-only', 'windows-only'].includes(kind));
    expect(invalid.filter(([path]) => !(path in rejections))).toEqual([]);
    expect(bags.filter(([path, { kind }]) => kind === 'valid' && path in rejections)).toEqual([]);
  });

  it.each(bags)('should accept the bag or reject it for its own reason: %s', async (path, bag) => {
    const failure = await failureOf(bag);
    const [code, file, message] = rejections[path] ?? [null, null, ''];
    if (code === null) {
      expect(failure?.problems ?? []).toEqual([]);
      return;
    }
    const found = failure?.problems.find((problem) => problem.code === code && problem.path === file);
    expect(found?.message ?? failure?.problems).toContain(message);
    expect(failure?.disposition).toBe('reject');
  });
});
