import { execFile } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, stat, statfs, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Engine } from '../support/engine.js';

const run = promisify(execFile);
const mebibyte = 1024 * 1024;
const imageBytes = 400 * mebibyte;

const makers = { xfs: ['mkfs.xfs', '-q'], btrfs: ['mkfs.btrfs', '-q'] } as const;

/** Whether a program is here; without it the file system's tests are reported as skipped. */
async function isHere(program: string): Promise<boolean> {
  return run('sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  );
}

const here = { xfs: await isHere('mkfs.xfs'), btrfs: await isHere('mkfs.btrfs') };

describe.each(['xfs', 'btrfs'] as const)('a copy within one file system that can clone, %s,', (kind) => {
  const test = here[kind] ? it : it.skip;
  let home: string;
  let root: string;

  beforeAll(async () => {
    if (!here[kind]) return;
    home = await mkdtemp(join(tmpdir(), 'clone-'));
    root = join(home, 'mounted');
    await mkdir(root);
    await writeFile(join(home, 'image'), '');
    await truncate(join(home, 'image'), imageBytes);
    const [maker, ...options] = makers[kind];
    await run(maker, [...options, join(home, 'image')]);
    await run('mount', ['-o', 'loop', join(home, 'image'), root]);
  });

  afterAll(async () => {
    if (!here[kind]) return;
    await run('umount', [root]);
    await rm(home, { recursive: true });
  });

  test('should share the blocks of the source, with the right digest, time and mode', async () => {
    const dataset = join(root, 'source/SUB-1/DS-1');
    await mkdir(dataset, { recursive: true });
    await mkdir(join(root, 'storage'));
    const [large, small] = [64 * mebibyte, 1000];
    await writeFile(join(dataset, 'large'), randomFillSync(Buffer.alloc(large)), { mode: 0o755 });
    await writeFile(join(dataset, 'small'), randomFillSync(Buffer.alloc(small)));
    await run('sync', ['-f', root]);
    const before = await usedIn(root);
    const engine = new Engine(root);
    const { place } = await engine.import('DS-1');
    await engine.close();
    await run('sync', ['-f', root]);
    expect((await usedIn(root)) - before).toBeLessThan(large / 4);
    await run('sha256sum', ['-c', '--strict', '--quiet', '.import/manifest-sha256.txt'], { cwd: place });
    const [made, source] = await Promise.all([stat(join(place, 'large')), stat(join(dataset, 'large'))]);
    expect((made.mode & 0o7777).toString(8)).toBe('440');
    expect(Math.abs(made.mtimeMs - source.mtimeMs)).toBeLessThan(0.01);
    await writeFile(join(dataset, 'large'), 'overwritten');
    await run('sha256sum', ['-c', '--strict', '--quiet', '.import/manifest-sha256.txt'], { cwd: place });
  });
});

async function usedIn(folder: string): Promise<number> {
  const { blocks, bfree, bsize } = await statfs(folder);
  return (blocks - bfree) * bsize;
}
