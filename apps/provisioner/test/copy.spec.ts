import { jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  stat,
  symlink,
  truncate,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../../test/support/until.ts';
import { ProgressMeter } from '../src/import-runs/progress-meter.js';
import { removeTree } from '../src/storage/posix/remove-tree.js';
import { layFiles, type Files } from './support/delivery.js';
import { Engine } from './support/engine.js';
import { layRandomTree } from './support/random-tree.js';

const run = promisify(execFile);
const mebibyte = 1024 * 1024;

jest.setTimeout(120_000);

describe('a copy between folders', () => {
  let root: string;
  let dataset: string;
  let engine: Engine;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'copy-'));
    dataset = join(root, 'source/SUB-1/DS-1');
    await mkdir(dataset, { recursive: true });
    await mkdir(join(root, 'storage'));
    engine = new Engine(root);
  });

  afterEach(async () => {
    await engine.close();
    await removeTree(root);
  });

  async function imported(files: Files): Promise<string> {
    await layFiles(dataset, files);
    return (await engine.import('DS-1')).folder;
  }

  it.each([1, 2, 3, 4, 5, 6])('should copy random tree %i like cp -a', async (seed) => {
    layRandomTree(dataset, seed);
    const { folder: published, files } = await engine.import('DS-1');
    await run('cp', ['-a', dataset, join(root, 'reference')]);
    const reference = await contents(join(root, 'reference'));
    expect(await contents(published)).toEqual(reference);
    expect(files).toBe([...reference.values()].filter((entry) => entry.startsWith('file')).length);
    await run('sha256sum', ['-c', '--strict', '--quiet', '.import/manifest-sha256.txt'], { cwd: published });
  });

  it('should keep the holes of sparse files', async () => {
    await layFiles(dataset, { dense: Buffer.alloc(mebibyte), 'small hole': '', 'large hole': '', mixed: '' });
    await truncate(join(dataset, 'small hole'), 300_000);
    await truncate(join(dataset, 'large hole'), 4096 * mebibyte + 1);
    await truncate(join(dataset, 'mixed'), 64 * mebibyte);
    await run('dd', [
      `of=${join(dataset, 'mixed')}`,
      'if=/dev/urandom',
      'bs=64K',
      'count=3',
      'seek=500',
      'conv=notrunc',
    ]);
    const { folder: published } = await engine.import('DS-1');
    const blocks = async (folder: string, name: string): Promise<number> => (await stat(join(folder, name))).blocks;
    for (const name of ['small hole', 'large hole', 'mixed']) {
      expect(await blocks(published, name)).toBeLessThanOrEqual(await blocks(dataset, name));
    }
    expect(await blocks(published, 'dense')).toBe(await blocks(dataset, 'dense'));
    await run('cmp', [join(dataset, 'mixed'), join(published, 'mixed')]);
    expect((await stat(join(published, 'large hole'))).size).toBe(4096 * mebibyte + 1);
  });

  it('should copy hard links as separate files', async () => {
    await writeFile(join(dataset, 'one'), 'same');
    await link(join(dataset, 'one'), join(dataset, 'two'));
    const { folder: published } = await engine.import('DS-1');
    const [one, two] = await Promise.all(['one', 'two'].map((name) => stat(join(published, name))));
    expect([one?.nlink, two?.nlink, one?.ino === two?.ino]).toEqual([1, 1, false]);
  });

  it('should copy the same bytes when sizes are around each limit between ways of copying', async () => {
    const bytes = randomBytes(33 * mebibyte);
    const sizes = [1, 32].flatMap((size) => [size * mebibyte - 1, size * mebibyte, size * mebibyte + 1]);
    const published = await imported(Object.fromEntries(sizes.map((size) => [String(size), bytes.subarray(0, size)])));
    await run('diff', ['-r', '-x', '.import', dataset, published]);
    await run('sha256sum', ['-c', '--strict', '--quiet', '.import/manifest-sha256.txt'], { cwd: published });
  });

  it('should copy files with deep and long paths', async () => {
    const deep = join(...Array.from({ length: 500 }, () => 'd'));
    const long = join(...Array.from({ length: 12 }, () => 'n'.repeat(240)));
    const published = await imported({ [join(deep, 'file')]: 'deep', [join(long, 'file')]: 'long' });
    expect(await readFile(join(published, deep, 'file'), 'utf8')).toBe('deep');
    expect(await readFile(join(published, long, 'file'), 'utf8')).toBe('long');
  });

  it('should publish intact files when VERIFY is readback', async () => {
    await layFiles(dataset, { small: 'small', empty: '', large: Buffer.alloc(9 * mebibyte, 'large') });
    const careful = new Engine(root, { VERIFY: 'readback' });
    const { folder: published } = await careful.import('DS-1');
    await careful.close();
    await run('diff', ['-r', '-x', '.import', dataset, published]);
  });

  describe('with SYMLINKS=keep', () => {
    const links = { 'a/up': '../b', 'a/deep/twice': '../../b', same: 'b', folder: 'a/deep', dangling: 'not/there' };

    async function importedWithLinks(more: Readonly<Record<string, string>>): Promise<string> {
      await layFiles(dataset, { b: 'bytes', 'a/deep/c': 'more' });
      for (const [path, target] of Object.entries({ ...links, ...more })) await symlink(target, join(dataset, path));
      const keeping = new Engine(root, { SYMLINKS: 'keep' });
      try {
        return (await keeping.import('DS-1')).folder;
      } finally {
        await keeping.close();
      }
    }

    it('should keep links inside the dataset and report a changed link', async () => {
      const published = await importedWithLinks({});
      for (const [path, target] of Object.entries(links)) {
        expect(await readlink(join(published, path))).toBe(target);
        const [copy, source] = await Promise.all([published, dataset].map((folder) => lstat(join(folder, path))));
        expect(copy?.mtimeMs).toBeCloseTo(source?.mtimeMs ?? 0, 1);
      }
      await run('diff', ['-r', '--no-dereference', '-x', '.import', dataset, published]);
      const verify = async (): Promise<unknown> => (await engine.verify('DS-1')).failures.named;
      expect(await verify()).toEqual([]);
      await chmod(join(published, 'a'), 0o750);
      await unlink(join(published, 'a/up'));
      await symlink('../other', join(published, 'a/up'));
      await chmod(join(published, 'a'), 0o550);
      expect(await verify()).toMatchObject([{ code: 'file.symlink', path: 'a/up' }]);
    });

    it.each(['/etc/passwd', '../x', 'a/../b', 'a/../../x', '..', 'a/./b', ''.padEnd(3, './')])(
      'should reject the delivery and name the link when its target is %s',
      async (target) => {
        const problems = [{ code: 'file.symlink', path: 'odd' }];
        await expect(importedWithLinks({ odd: target })).rejects.toMatchObject({ code: 'file.symlink', problems });
      },
    );
  });

  it.each([
    ['an empty delivery', {}, []],
    ['empty folders only', {}, ['a', 'a/b', 'c']],
    ['one empty file', { empty: '' }, []],
  ])('should publish %s', async (_, files, folders) => {
    for (const folder of folders) await mkdir(join(dataset, folder));
    await utimes(dataset, 1_000_000, 1_000_000);
    const published = await imported(files);
    expect([...(await contents(published)).keys()].sort()).toEqual([...folders, ...Object.keys(files)].sort());
  });

  it('should copy small files when the rate limit delays a large file of another import', async () => {
    const small = Object.fromEntries(
      Array.from({ length: 1500 }, (_, index) => [String(index), Buffer.alloc(1024, 's')]),
    );
    await layFiles(dataset, { large: Buffer.alloc(64 * mebibyte, 'l') });
    await layFiles(join(root, 'source/SUB-1/DS-2'), small);
    const slow = new Engine(root, { COPY_RATE_LIMIT: '4M' });
    const abort = new AbortController();
    const meter = new ProgressMeter();
    const large = slow.import('DS-1', { signal: abort.signal, meter });
    await until(() => meter.phase === 'copying');
    expect(await slow.import('DS-2')).toMatchObject({ files: 1500 });
    expect(meter.filesDone).toBe(0);
    abort.abort(new Error('stopped'));
    meter.abort();
    await expect(large).rejects.toThrow('stopped');
    await slow.close();
  });

  it('should return the published result when the delivery is removed and the import runs again', async () => {
    await layFiles(dataset, { a: '1' });
    const result = await engine.import('DS-1');
    await removeTree(dataset);
    expect(await engine.import('DS-1', { token: 'T2' })).toEqual(result);
  });

  it('should reuse the finished files of an earlier attempt and copy missing ones again', async () => {
    const small = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`s/${String(index)}`, String(index)]));
    await layFiles(dataset, { ...small, z: Buffer.alloc(9 * mebibyte, 'z') });
    const slow = new Engine(root, { COPY_RATE_LIMIT: '1M' });
    const abort = new AbortController();
    const meter = new ProgressMeter();
    const stopped = slow.import('DS-1', { signal: abort.signal, meter, token: 'T1' });
    const staged = join(root, 'storage/data/.staging/dataset/DS-1/T1');
    await until(() => meter.filesDone >= 300);
    abort.abort(new Error('stopped'));
    meter.abort();
    await expect(stopped).rejects.toThrow('stopped');
    await slow.close();
    const reused = await stat(join(staged, 'payload/s/99'));
    await removeTree(join(staged, 'payload/s/0'));
    const second = new ProgressMeter();
    const { folder: published } = await engine.import('DS-1', { meter: second, token: 'T2' });
    expect(second.bytesResumed).toBeGreaterThan(0);
    expect((await stat(join(published, 's/99'))).ino).toBe(reused.ino);
    await run('sha256sum', ['-c', '--strict', '--quiet', '.import/manifest-sha256.txt'], { cwd: published });
  });
});

/** Returns the entries below a folder, without the records: type, size, digest and time by path. */
async function contents(folder: string): Promise<Map<string, string>> {
  const entries = new Map<string, string>();
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (name === '.import' || name.startsWith('.import/')) continue;
    const { size, mtimeMs } = await lstat(path);
    const { stdout } = entry.isFile() ? await run('sha256sum', ['-z', '--', path]) : { stdout: '' };
    const content = entry.isFile() ? `file ${String(size)} ${stdout.slice(0, 64)}` : 'folder';
    entries.set(name, `${content} ${mtimeMs.toFixed(2)}`);
  }
  return entries;
}
