import { execFile } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PosixStorage } from '../../src/storage/posix/posix-storage.js';
import { Engine } from '../support/engine.js';
import { MountedImage } from './support/mounted-image.js';

const run = promisify(execFile);
const mebibyte = 1024 * 1024;

((await MountedImage.isPossible('btrfs')) ? describe : describe.skip)('a Btrfs', () => {
  let image: MountedImage;
  let root: string;

  beforeEach(async () => {
    image = await MountedImage.make('btrfs', 'compress=zstd');
    ({ root } = image);
  });

  afterEach(() => image.remove());

  const subvolume = (...path: readonly string[]): Promise<unknown> =>
    run('btrfs', ['subvolume', 'create', join(root, ...path)]);

  /** Imports a dataset and compares it with its source. @returns the bytes that the import has used */
  async function usedByImport(settings: Record<string, string> = {}): Promise<number> {
    const before = await image.used();
    const engine = new Engine(root, settings);
    const { folder: published } = await engine.import('DS-1');
    await engine.close();
    await run('sha256sum', ['-c', '--strict', '--quiet', '.import/manifest-sha256.txt'], { cwd: published });
    await run('diff', ['-r', '-x', '.import', join(root, 'source/SUB-1/DS-1'), published]);
    return (await image.used()) - before;
  }

  it('should report unlimited files, because Btrfs does not count inodes', async () => {
    await mkdir(join(root, 'storage'));
    const { bytes, files } = await new PosixStorage(join(root, 'storage')).freeSpace();
    expect(bytes).toBeGreaterThan(100 * mebibyte);
    expect(files).toBe(Number.POSITIVE_INFINITY);
  });

  it('should clone files from a read-only snapshot to another subvolume', async () => {
    await subvolume('delivered');
    await subvolume('storage');
    await mkdir(join(root, 'delivered/SUB-1/DS-1'), { recursive: true });
    const large = 64 * mebibyte;
    await writeFile(join(root, 'delivered/SUB-1/DS-1/large'), randomFillSync(Buffer.alloc(large)));
    await run('btrfs', ['subvolume', 'snapshot', '-r', join(root, 'delivered'), join(root, 'source')]);
    expect((await stat(join(root, 'source'))).dev).not.toBe((await stat(join(root, 'storage'))).dev);
    expect(await usedByImport()).toBeLessThan(large / 4);
  });

  it('should clone other files when it cannot clone a file that it writes in place', async () => {
    await mkdir(join(root, 'storage'));
    const dataset = join(root, 'source/SUB-1/DS-1');
    await mkdir(join(dataset, 'in-place'), { recursive: true });
    await run('chattr', ['+C', join(dataset, 'in-place')]);
    await writeFile(join(dataset, 'in-place/first'), randomFillSync(Buffer.alloc(2 * mebibyte)));
    const large = 64 * mebibyte;
    await writeFile(join(dataset, 'large'), randomFillSync(Buffer.alloc(large)));
    expect(await usedByImport({ COPY_THREADS: '1' })).toBeLessThan(large / 4);
  });

  it('should copy compressed and sparse files correctly', async () => {
    await mkdir(join(root, 'storage'));
    const dataset = join(root, 'source/SUB-1/DS-1');
    await mkdir(dataset, { recursive: true });
    const words = Buffer.from('the same words again, '.repeat(40_000));
    await writeFile(join(dataset, 'compressed'), words);
    await writeFile(join(dataset, 'compressed-and-zeros'), Buffer.concat([words, Buffer.alloc(mebibyte), words]));
    await run('truncate', ['-s', '20M', join(dataset, 'sparse')]);
    await run('dd', ['if=/dev/urandom', `of=${join(dataset, 'sparse')}`, 'bs=1M', 'seek=20', 'count=1']);
    expect(await usedByImport()).toBeLessThan(10 * mebibyte);
  });

  it('should fail the probe of the storage when a published folder is another subvolume', async () => {
    await mkdir(join(root, 'storage/data'), { recursive: true });
    await subvolume('storage/data/raw');
    await expect(new PosixStorage(join(root, 'storage')).probe()).rejects.toThrow('in one subvolume');
  });
});
