import { hash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PosixStorage } from '../storage/posix/posix-storage.js';
import { removeTree } from '../storage/posix/remove-tree.js';
import type { Attempt } from '../model/attempt.js';
import type { CopyOrder } from './copy-messages.js';
import { ReadBackCopier } from './read-back.js';

describe(ReadBackCopier.name, () => {
  const content = Buffer.alloc(2 * 1024 * 1024, 'content');
  const order: CopyOrder = {
    ...{ path: 'file', size: content.length, mtimeNs: 0n, version: '1', algorithms: [], flush: false },
  };
  let root: string;
  let attempt: Attempt;
  let folder: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'read-back-'));
    attempt = await new PosixStorage(root).openAttempt({ kind: 'dataset', id: 'DS-1' }, 'T1', 'f');
    if ('folder' in attempt.target) ({ folder } = attempt.target);
  });

  afterEach(() => removeTree(root));

  /** Runs a copy that writes the content and reports the digest of `reported`. */
  async function outcomeOf(reported: Buffer): Promise<unknown> {
    const copy = async (): Promise<{ digests: { sha256: string } }[]> => {
      await writeFile(join(folder, order.path), content);
      return [{ digests: { sha256: hash('sha256', reported) } }];
    };
    const counters = new BigInt64Array(new SharedArrayBuffer(16));
    const [outcome] = await new ReadBackCopier({ capacity: 1, copy }, attempt).copy([order], counters);
    return outcome;
  }

  it('should return the outcome of the copy when the stored file has the same SHA-256', async () => {
    expect(await outcomeOf(content)).toEqual({ digests: { sha256: hash('sha256', content) } });
  });

  it('should report a failure of the storage with the path when the stored file differs', async () => {
    const failure = { side: 'storage', errno: 'EIO', message: expect.stringContaining('file') as string };
    expect(await outcomeOf(Buffer.from('other'))).toEqual({ failure });
  });
});
