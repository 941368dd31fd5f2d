import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { counterIndex, type CopyOrder, type CopyOutcome } from './copy-messages.js';
import { RateLimit } from './process-rate-limit.js';
import { FolderTarget } from './folder-target.js';
import { StreamPool } from './stream-pool.js';
import { SourceChangedError, SourceFailure, type NextBuffer } from '../model/source-system.js';
import { removeTree } from '../storage/posix/remove-tree.js';

const kibibyte = 1024;
const content = randomBytes(3 * 1024 * kibibyte + 7);

/** Yields bytes in the lent buffers, then runs `after`. */
async function* received(
  bytes: Buffer,
  next: NextBuffer,
  after = async (): Promise<void> => {},
): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length;) {
    const buffer = await next();
    const count = bytes.copy(buffer, 0, from);
    from += count;
    yield buffer.subarray(0, count);
  }
  await after();
}

const digest = (algorithm: string, bytes: Buffer): string => createHash(algorithm).update(bytes).digest('hex');

describe(FolderTarget.name, () => {
  let folder: string;
  let pool: StreamPool;
  let counters: BigInt64Array<SharedArrayBuffer>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'folder-target-'));
    pool = new StreamPool(1, new RateLimit([]));
    counters = new BigInt64Array(new SharedArrayBuffer(24));
  });

  afterEach(() => removeTree(folder));

  const orderOf = (path: string, size: number): CopyOrder => ({
    ...{ path, size, flush: false, mtimeNs: 1_700_000_000_000_000_000n, version: '1', algorithms: ['md5'] },
  });

  function copy(
    orders: readonly CopyOrder[],
    contentOf: (order: CopyOrder, next: NextBuffer) => AsyncIterable<Buffer>,
  ): Promise<readonly CopyOutcome[]> {
    const source = { open: (_: unknown, file: CopyOrder, next: NextBuffer) => contentOf(file, next) };
    const place = { kind: 'dataset', id: 'DS-1', submission: 'SUB-1' } as const;
    return pool.between(source, place, new FolderTarget(folder)).copy(orders, counters);
  }

  async function openFiles(): Promise<string[]> {
    const descriptors = await readdir('/proc/self/fd');
    const paths = await Promise.all(descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
    return paths.filter((path) => path.startsWith(folder));
  }

  it('should write the received bytes, times and modes of many concurrent files of every size', async () => {
    const sizes = [0, 1, 64, 511, 512, 513, 1023, 1024, 1025, 3072].flatMap((size) => [
      size * kibibyte,
      size * kibibyte + 1,
    ]);
    const orders = sizes.map((size) => orderOf(`a/${String(size % 3)}/${String(size)}`, size));
    const outcomes = await copy(orders, ({ size }, next) => received(content.subarray(0, size), next));
    for (const [index, { path, size }] of orders.entries()) {
      const bytes = content.subarray(0, size);
      expect(outcomes[index]).toEqual({ digests: { sha256: digest('sha256', bytes), md5: digest('md5', bytes) } });
      expect(bytes.equals(await readFile(join(folder, path)))).toBe(true);
      expect(await stat(join(folder, path))).toMatchObject({ mode: 0o100440, mtimeMs: 1_700_000_000_000 });
    }
    expect(counters[counterIndex.bytes]).toBe(BigInt(sizes.reduce((sum, size) => sum + size, 0)));
  });

  it('should create a new inode when an earlier attempt has left a file', async () => {
    await writeFile(join(folder, 'file'), 'earlier', { mode: 0o440 });
    const earlier = await open(join(folder, 'file'));
    await copy([orderOf('file', 5)], (_, next) => received(Buffer.from('later'), next));
    expect(await readFile(join(folder, 'file'), 'utf8')).toBe('later');
    expect(await earlier.readFile('utf8')).toBe('earlier');
    await earlier.close();
  });

  it.each([
    ['fails', new SourceFailure('broken', 'ECONNRESET'), { side: 'source', errno: 'ECONNRESET', message: 'broken' }],
    [
      'finds another version',
      new SourceChangedError('file'),
      { side: 'changed', message: 'file changed during the copy.' },
    ],
  ])('should report the failure and close the file when the source %s during the copy', async (_, error, failure) => {
    const outcomes = await copy([orderOf('file', content.length)], (_, next) =>
      received(content.subarray(0, 1024 * kibibyte + 1), next, () => Promise.reject(error)),
    );
    expect(outcomes).toMatchObject([{ failure }]);
    expect(await openFiles()).toEqual([]);
  });

  it('should report an aborted copy and close the file when the import is stopped', async () => {
    const outcomes = await copy([orderOf('file', content.length)], async function* (_, next) {
      for await (const bytes of received(content, next)) {
        yield bytes;
        await setImmediate();
        Atomics.store(counters, counterIndex.aborted, 1n);
      }
    });
    expect(outcomes).toMatchObject([{ failure: { side: 'aborted' } }]);
    expect(await openFiles()).toEqual([]);
  });

  it('should receive nothing and report a failure of the storage when a file cannot be created', async () => {
    await writeFile(join(folder, 'file'), '');
    let receivedBytes = 0;
    const outcomes = await copy([orderOf('file/below', content.length)], async function* (_, next) {
      for await (const bytes of received(content, next)) {
        receivedBytes += bytes.length;
        yield bytes;
      }
    });
    expect(outcomes).toMatchObject([{ failure: { side: 'storage', errno: 'ENOTDIR' } }]);
    expect(receivedBytes).toBe(0);
    expect(counters[counterIndex.bytes]).toBe(0n);
  });

  it('should report a failure of the storage when the staging folder is missing', async () => {
    await removeTree(folder);
    const outcomes = await copy([orderOf('a/file', 1)], (_, next) => received(Buffer.from('1'), next));
    expect(outcomes).toMatchObject([{ failure: { side: 'storage', errno: 'ENOENT' } }]);
  });
});
