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
    return (await engine.import('DS-1')).place;
  }

  it.each([1, 2, 3, 4, 5, 6])('should make of random tree %i what cp -a makes', async (seed) => {
    layRandomTree(dataset, seed);
    const { place, files } = await engine.import('DS-1');
    await run('cp', ['-a', dataset, join(root, 'reference')]);
    const reference = await contents(join(root, 'reference'));
    expect(await contents(place)).toEqual(reference);
    expect(files).toBe([...reference.values()].filter((what) => what.startsWith('file')).length);
    await run('sha256sum', ['-c', '--strict', '--quiet', '.import/manifest-sha256.txt'], { cwd: place });
  });

  it('should keep holes', async () => {
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
    const { place } = await engine.import('DS-1');
    const blocks = async (folder: string, name: string): Promise<number> => (await stat(join(folder, name))).blocks;
    for (const name of ['small hole', 'large hole', 'mixed']) {
      expect(await blocks(place, name)).toBeLessThanOrEqual(await blocks(dataset, name));
    }
    expect(await blocks(place, 'dense')).toBe(await blocks(dataset, 'dense'));
    await run('cmp', [join(dataset, 'mixed'), join(place, 'mixed')]);
    expect((await stat(join(place, 'large hole'))).size).toBe(4096 * mebibyte + 1);
  });

  it('should make files of hard links, each its own', async () => {
    await writeFile(join(dataset, 'one'), 'same');
    await link(join(dataset, 'one'), join(dataset, 'two'));
    const { place } = await engine.import('DS-1');
    const [one, two] = await Promise.all(['one', 'two'].map((name) => stat(join(place, name))));
    expect([one?.nlink, two?.nlink, one?.ino === two?.ino]).toEqual([1, 1, false]);
  });

  it('should copy files of every size the same, whichever way they are copied', async () => {
    const bytes = randomBytes(33 * mebibyte);
    const sizes = [1, 32].flatMap((size) => [size * mebibyte - 1, size * mebibyte, size * mebibyte + 1]);
    const place = await imported(Object.fromEntries(sizes.map((size) => [String(size), bytes.subarray(0, size)])));
    await run('diff', ['-r', '-x', '.import', dataset, place]);
    await run('sha256sum', ['-c', '--strict', '--quiet', '.import/manifest-sha256.txt'], { cwd: place });
  });

  it('should take paths that are deep and long', async () => {
    const deep = join(...Array.from({ length: 500 }, () => 'd'));
    const long = join(...Array.from({ length: 12 }, () => 'n'.repeat(240)));
    const place = await imported({ [join(deep, 'file')]: 'deep', [join(long, 'file')]: 'long' });
    expect(await readFile(join(place, deep, 'file'), 'utf8')).toBe('deep');
    expect(await readFile(join(place, long, 'file'), 'utf8')).toBe('long');
  });

  it('should read everything again with VERIFY=readback', async () => {
    await layFiles(dataset, { small: 'small', empty: '', large: Buffer.alloc(9 * mebibyte, 'large') });
    const careful = new Engine(root, { VERIFY: 'readback' });
    const { place } = await careful.import('DS-1');
    await careful.close();
    await run('diff', ['-r', '-x', '.import', dataset, place]);
  });

  describe('with SYMLINKS=keep', () => {
    const links = { 'a/up': '../b', 'a/deep/twice': '../../b', same: 'b', folder: 'a/deep', dangling: 'not/there' };

    async function importedWithLinks(more: Readonly<Record<string, string>>): Promise<string> {
      await layFiles(dataset, { b: 'bytes', 'a/deep/c': 'more' });
      for (const [path, target] of Object.entries({ ...links, ...more })) await symlink(target, join(dataset, path));
      const keeping = new Engine(root, { SYMLINKS: 'keep' });
      try {
        return (await keeping.import('DS-1')).place;
      } finally {
        await keeping.close();
      }
    }

    it('should keep links that stay inside, as they are', async () => {
      const place = await importedWithLinks({});
      for (const [path, target] of Object.entries(links)) {
        expect(await readlink(join(place, path))).toBe(target);
        const [made, source] = await Promise.all([place, dataset].map((each) => lstat(join(each, path))));
        expect(made?.mtimeMs).toBeCloseTo(source?.mtimeMs ?? 0, 1);
      }
      await run('diff', ['-r', '--no-dereference', '-x', '.import', dataset, place]);
      const verify = async (): Promise<unknown> => (await engine.verify('DS-1')).failures.named;
      expect(await verify()).toEqual([]);
      await chmod(join(place, 'a'), 0o750);
      await unlink(join(place, 'a/up'));
      await symlink('../other', join(place, 'a/up'));
      await chmod(join(place, 'a'), 0o550);
      expect(await verify()).toMatchObject([{ code: 'file.symlink', path: 'a/up' }]);
    });

    it.each(['/etc/passwd', '../x', 'a/../b', 'a/../../x', '..', 'a/./b', ''.padEnd(3, './')])(
      'should refuse one to %s and name it',
      async (target) => {
        const problems = [{ code: 'file.symlink', path: 'odd' }];
        await expect(importedWithLinks({ odd: target })).rejects.toMatchObject({ code: 'file.symlink', problems });
      },
    );
  });

  it.each([
    ['nothing at all', {}, []],
    ['empty folders only', {}, ['a', 'a/b', 'c']],
    ['one empty file', { empty: '' }, []],
  ])('should publish %s', async (_, files, folders) => {
    for (const folder of folders) await mkdir(join(dataset, folder));
    await utimes(dataset, 1_000_000, 1_000_000);
    const place = await imported(files);
    expect([...(await contents(place)).keys()].sort()).toEqual([...folders, ...Object.keys(files)].sort());
  });

  it('should not have small files wait for a large one of another import, whatever the rate', async () => {
    const small = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [String(at), Buffer.alloc(1024, 's')]));
    await layFiles(dataset, { large: Buffer.alloc(64 * mebibyte, 'l') });
    await layFiles(join(root, 'source/SUB-1/DS-2'), small);
    const slow = new Engine(root, { COPY_RATE_LIMIT: '4M' });
    const abort = new AbortController();
    const meter = new ProgressMeter();
    const large = slow.import('DS-1', { signal: abort.signal, meter });
    while (meter.phase !== 'copying') await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await slow.import('DS-2')).toMatchObject({ files: 1500 });
    expect(meter.filesDone).toBe(0);
    abort.abort(new Error('stopped'));
    meter.abort();
    await expect(large).rejects.toThrow('stopped');
    await slow.close();
  });

  it('should find what it has published, whatever has become of the source since', async () => {
    await layFiles(dataset, { a: '1' });
    const result = await engine.import('DS-1');
    await removeTree(dataset);
    expect(await engine.import('DS-1', { token: 'T2' })).toEqual(result);
  });

  it('should not copy again what an attempt before has noted, and copy what is gone since', async () => {
    const small = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`s/${String(at)}`, String(at)]));
    await layFiles(dataset, { ...small, z: Buffer.alloc(9 * mebibyte, 'z') });
    const slow = new Engine(root, { COPY_RATE_LIMIT: '1M' });
    const abort = new AbortController();
    const meter = new ProgressMeter();
    const stopped = slow.import('DS-1', { signal: abort.signal, meter, token: 'T1' });
    const staged = join(root, 'storage/data/.staging/dataset/DS-1/T1');
    while (meter.filesDone < 300) await new Promise((resolve) => setTimeout(resolve, 20));
    abort.abort(new Error('stopped'));
    meter.abort();
    await expect(stopped).rejects.toThrow('stopped');
    await slow.close();
    const kept = await stat(join(staged, 'payload/s/99'));
    await removeTree(join(staged, 'payload/s/0'));
    const second = new ProgressMeter();
    const { place } = await engine.import('DS-1', { meter: second, token: 'T2' });
    expect(second.bytesResumed).toBeGreaterThan(0);
    expect((await stat(join(place, 's/99'))).ino).toBe(kept.ino);
    await run('sha256sum', ['-c', '--strict', '--quiet', '.import/manifest-sha256.txt'], { cwd: place });
  });
});

/** What is below a folder, our records left out: kind, bytes, times and digests by path. */
async function contents(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (name === '.import' || name.startsWith('.import/')) continue;
    const { size, mtimeMs } = await lstat(path);
    const { stdout } = entry.isFile() ? await run('sha256sum', ['-z', '--', path]) : { stdout: '' };
    const what = entry.isFile() ? `file ${String(size)} ${stdout.slice(0, 64)}` : 'folder';
    found.set(name, `${what} ${mtimeMs.toFixed(2)}`);
  }
  return found;
}
