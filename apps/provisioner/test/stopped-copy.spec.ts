import { jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, open, rename, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../../test/support/until.ts';
import { ProgressMeter } from '../src/import-runs/progress-meter.js';
import { removeTree } from '../src/storage/posix/remove-tree.js';
import { layFiles } from './support/delivery.js';
import { Engine } from './support/engine.js';

const run = promisify(execFile);
const mebibyte = 1024 * 1024;

jest.setTimeout(60_000);

describe('a large file whose copy was stopped', () => {
  let root: string;
  let dataset: string;
  let engine: Engine;
  const size = 48 * mebibyte;
  let bytes: Buffer;
  let large: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'stopped-copy-'));
    dataset = join(root, 'source/SUB-1/DS-1');
    await mkdir(join(root, 'storage'));
    engine = new Engine(root);
    bytes = randomBytes(size);
    large = join(dataset, 'large');
    await layFiles(dataset, { large: bytes });
  });

  afterEach(async () => {
    await engine.close();
    await removeTree(root);
  });

  /** Stops an import within the file. @returns the staged file */
  async function stopped(): Promise<string> {
    const { ctimeMs } = await stat(large);
    await until(() => Date.now() - ctimeMs > 2_100);
    const slow = new Engine(root, { COPY_RATE_LIMIT: '24M' });
    const abort = new AbortController();
    const meter = new ProgressMeter();
    const running = slow.import('DS-1', { signal: abort.signal, meter, token: 'T1' });
    await until(() => meter.read().bytes_done > 20 * mebibyte);
    abort.abort(new Error('stopped'));
    meter.abort();
    await expect(running).rejects.toThrow('stopped');
    await slow.close();
    return join(root, 'storage/data/.staging/dataset/DS-1/T1/payload/large');
  }

  /** Imports the dataset again. @returns the resumed bytes and the inode of the published file */
  async function resumed(): Promise<{ readonly bytes: number; readonly ino: number }> {
    const meter = new ProgressMeter();
    const { folder } = await engine.import('DS-1', { meter, token: 'T2' });
    await run('cmp', [large, join(folder, 'large')]);
    await run('sha256sum', ['-c', '--strict', '--quiet', '.import/manifest-sha256.txt'], { cwd: folder });
    const [published, delivered] = await Promise.all([stat(join(folder, 'large')), stat(large)]);
    expect([published.mode & 0o777, published.size]).toEqual([0o440, size]);
    expect(published.mtimeMs).toBeCloseTo(delivered.mtimeMs, 1);
    const { bytes_resumed, bytes_done } = meter.read();
    expect(bytes_done).toBe(size);
    return { bytes: bytes_resumed, ino: published.ino };
  }

  it('should copy only the rest of the file', async () => {
    const { ino, size: staged } = await stat(await stopped());
    expect(await resumed()).toEqual({ bytes: staged, ino });
    expect(staged).toBeGreaterThanOrEqual(16 * mebibyte);
  });

  it('should copy the file from its beginning when the staged part has changed', async () => {
    const staged = await stopped();
    await chmod(staged, 0o640);
    const file = await open(staged, 'r+');
    await file.write(Buffer.from([Number(bytes[5]) ^ 1]), 0, 1, 5);
    await file.close();
    expect((await resumed()).bytes).toBe(0);
  });

  it('should copy the file from its beginning when another file has replaced it with the same size and time', async () => {
    await stopped();
    const { atime, mtime } = await stat(large);
    await writeFile(`${large}.new`, randomBytes(size));
    await utimes(`${large}.new`, atime, mtime);
    await rename(`${large}.new`, large);
    expect((await resumed()).bytes).toBe(0);
  });

  it('should overwrite the bytes after the flushed part when the file has a hole there', async () => {
    await truncate(large, 22 * mebibyte);
    await truncate(large, size);
    const staged = await stopped();
    const { size: flushed } = await stat(staged);
    await chmod(staged, 0o640);
    const file = await open(staged, 'r+');
    await file.write(randomBytes(mebibyte), 0, mebibyte, flushed);
    await file.close();
    expect((await resumed()).bytes).toBe(flushed);
  });
});
