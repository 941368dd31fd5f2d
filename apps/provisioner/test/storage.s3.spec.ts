import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bucket } from '../src/s3/bucket.js';
import { headOf, type CommitDraft } from '../src/storage/commit.js';
import { PosixRecords } from '../src/storage/posix/posix-records.js';
import { PosixStorage } from '../src/storage/posix/posix-storage.js';
import { removeTree } from '../src/storage/posix/remove-tree.js';
import type { Records } from '../src/storage/records.js';
import { S3Records } from '../src/storage/s3/s3-records.js';
import { S3Storage } from '../src/storage/s3/s3-storage.js';
import { ForeignContentError, SupersededError } from '../src/storage/storage-failure.js';
import type { Attempt, FileBatch, Storage } from '../src/storage/storage.js';
import { everythingIn, makeBucket } from './support/s3.js';
import { write } from './support/storage.contract.js';
import { storedFiles } from './support/stored-files.js';

const mebibyte = 1024 * 1024;

describe.each(['folder', 'S3'] as const)('a storage in %s', (kind) => {
  let storage: Storage;
  let records: Records;
  let bucket: Bucket;
  let root: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'storage-'));
    ({ bucket } = await makeBucket());
    storage = kind === 'S3' ? new S3Storage(bucket) : new PosixStorage(root);
    records = kind === 'S3' ? new S3Records(bucket) : new PosixRecords(root);
  });

  afterAll(() => removeTree(root));

  const open = (id: string, fingerprint = 'f'): Promise<Attempt> =>
    storage.openAttempt({ kind: 'dataset', id }, randomUUID(), fingerprint);

  const batchOf = (path: string, size: number): FileBatch => ({ key: path, files: [{ path, size, mtimeNs: 0n }] });

  async function put(attempt: Attempt, path: string, bytes: Buffer): Promise<void> {
    await write(attempt, { path, size: bytes.length, mtimeNs: 0n }, inChunks(bytes));
    await attempt.noteFinished(batchOf(path, bytes.length), [createHash('sha256').update(bytes).digest('hex')]);
  }

  const list = (attempt: Attempt, path: string, size: number): Promise<void> =>
    attempt.list([{ path, type: 'file', size, mtime_ns: '0', source_mode: '0644', sha256: 'x' }]);

  async function exists(id: string): Promise<boolean> {
    return (await storage.findCommit({ kind: 'dataset', id })) !== null;
  }

  it('should keep its promises when it is tried, and answer', async () => {
    await storage.probe();
    await storage.ping();
  });

  it('should show nothing before a dataset is published, and all of it afterwards', async () => {
    const attempt = await open('DS-1');
    await put(attempt, 'a/b.txt', Buffer.from('hello'));
    await list(attempt, 'a/b.txt', 5);
    expect(await exists('DS-1')).toBe(false);
    expect((await storage.commits('dataset')).byId.has('DS-1')).toBe(false);
    const commit = await attempt.publish(draftOf('DS-1', 'IMPORT-1'));
    await storage.discard({ kind: 'dataset', id: 'DS-1' });
    expect(await storage.findCommit({ kind: 'dataset', id: 'DS-1' })).toEqual(commit);
    expect((await storage.commits('dataset')).byId.get('DS-1')).toEqual(headOf(commit));
    expect(await storedFiles(storage, { kind: 'dataset', id: 'DS-1' })).toEqual(['a/b.txt']);
    const manifest = await storage.openList({ kind: 'dataset', id: 'DS-1' }, 'sha256sum').toArray();
    expect(Buffer.concat(manifest).toString()).toBe('x  a/b.txt\n');
  });

  it('should find again what an earlier attempt has finished, from the same source only', async () => {
    const first = await open('DS-2');
    await put(first, 'a', Buffer.from('1'));
    const second = await open('DS-2');
    expect(await second.finished(batchOf('a', 1))).toHaveLength(1);
    const third = await open('DS-2', 'another');
    expect(await third.finished(batchOf('a', 1))).toBeNull();
    await storage.discard({ kind: 'dataset', id: 'DS-2' });
  });

  it('should refuse an attempt that another has taken over from', async () => {
    const zombie = await open('DS-3');
    await put(zombie, 'a', Buffer.from('1'));
    await list(zombie, 'a', 1);
    const successor = await open('DS-3');
    await expect(put(zombie, 'b', Buffer.from('2'))).rejects.toThrow(SupersededError);
    await expect(zombie.publish(draftOf('DS-3', 'ZOMBIE'))).rejects.toThrow();
    expect(await exists('DS-3')).toBe(false);
    await put(successor, 'b', Buffer.from('2'));
    expect(await successor.finished(batchOf('a', 1))).toHaveLength(1);
    await list(successor, 'a', 1);
    await list(successor, 'b', 1);
    await successor.publish(draftOf('DS-3', 'IMPORT-3'));
    expect(await storage.findCommit({ kind: 'dataset', id: 'DS-3' })).toMatchObject({ import_id: 'IMPORT-3' });
  });

  it('should publish once when two publish at the same time', async () => {
    const ids = ['IMPORT-A', 'IMPORT-B'];
    const ends = await Promise.allSettled(
      ids.map(async (importId) => {
        const attempt = await open('DS-4');
        await put(attempt, 'a', Buffer.from('1'));
        await list(attempt, 'a', 1);
        return attempt.publish(draftOf('DS-4', importId));
      }),
    );
    const standing = await storage.findCommit({ kind: 'dataset', id: 'DS-4' });
    expect(ids).toContain(standing?.import_id);
    for (const end of ends) {
      if (end.status === 'fulfilled') expect(end.value).toEqual(standing);
      else expect(end.reason).toBeInstanceOf(SupersededError);
    }
    expect(await storedFiles(storage, { kind: 'dataset', id: 'DS-4' })).toEqual(['a']);
  });

  it('should never take over or remove what nobody of ours has put there', async () => {
    if (kind === 'S3') await bucket.put('data/raw/DS-5/precious', Buffer.from('1'));
    else {
      await mkdir(join(root, 'data/raw/DS-5'), { recursive: true });
      await writeFile(join(root, 'data/raw/DS-5/precious'), '1');
    }
    const publish = async (): Promise<unknown> => {
      const attempt = await open('DS-5');
      await put(attempt, 'a', Buffer.from('1'));
      await list(attempt, 'a', 1);
      return attempt.publish(draftOf('DS-5', 'IMPORT-5'));
    };
    await expect(publish()).rejects.toThrow(ForeignContentError);
    await storage.discard({ kind: 'dataset', id: 'DS-5' });
    expect(await storedFiles(storage, { kind: 'dataset', id: 'DS-5' })).toEqual(['precious']);
  });

  it('should refuse a name that is too long for it', () => {
    const refusal = storage.refusalOf({ kind: 'dataset', id: 'DS-6' }, { path: 'x/'.repeat(2000), type: 'file' });
    expect(refusal).toMatchObject({ code: 'name.too_long' });
    expect(storage.refusalOf({ kind: 'dataset', id: 'DS-6' }, { path: 'x'.repeat(255), type: 'file' })).toBeUndefined();
  });

  it('should let one of many make a record', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, (_, i) => records.create('.requests/race', String(i))));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await records.read('.requests/race')).toBe(String(made.indexOf(true)));
    expect(await records.names('.requests')).toContain('race');
    await records.remove('.requests/race');
    await records.remove('.requests/race');
    expect(await records.read('.requests/race')).toBeNull();
  });
});

describe('an attempt in S3', () => {
  it('should go on with a large file where a killed one has stopped, and leave no upload behind', async () => {
    const { bucket } = await makeBucket();
    const storage = new S3Storage(bucket);
    const sent = countParts(bucket);
    const content = Buffer.concat(Array.from({ length: 40 }, (_, index) => Buffer.alloc(mebibyte, index)));
    const subject = { kind: 'dataset', id: 'DS-1' } as const;
    const file = { path: 'big', size: content.length, mtimeNs: 0n };

    const killed = await storage.openAttempt(subject, 'one', 'f');
    await expect(write(killed, file, brokenAfter(content, 36 * mebibyte))).rejects.toThrow('killed');
    await untilIdle(sent);
    expect(sent.done).toBe(4);
    expect((await everythingIn(bucket)).uploads).toBe(1);

    const next = await storage.openAttempt(subject, 'two', 'f');
    await write(next, file, inChunks(content));
    expect(sent.done).toBe(5);
    await next.noteFinished({ key: 'big', files: [file] }, ['x']);
    await next.list([{ path: 'big', type: 'file', size: file.size, mtime_ns: '0', source_mode: '0644', sha256: 'x' }]);
    await next.publish(draftOf('DS-1', 'IMPORT-1'));
    const stored = Buffer.concat(await storage.openFile(subject, 'big').toArray());
    expect(stored.equals(content)).toBe(true);
    expect((await everythingIn(bucket)).uploads).toBe(0);
  });

  it('should not reuse parts of another source', async () => {
    const { bucket } = await makeBucket();
    const storage = new S3Storage(bucket);
    const subject = { kind: 'dataset', id: 'DS-1' } as const;
    const content = Buffer.alloc(33 * mebibyte, 'x');
    const killed = await storage.openAttempt(subject, 'one', 'f');
    await expect(
      write(killed, { path: 'big', size: content.length, mtimeNs: 0n }, brokenAfter(content, content.length)),
    ).rejects.toThrow('killed');
    await storage.openAttempt(subject, 'two', 'another');
    expect((await everythingIn(bucket)).uploads).toBe(0);
    await storage.discard(subject);
    expect((await everythingIn(bucket)).keys).toEqual(['data/.requests/spelled/dataset/ds-1']);
  });
});

async function* inChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += mebibyte)
    yield await Promise.resolve(bytes.subarray(from, from + mebibyte));
}

async function* brokenAfter(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  yield* inChunks(bytes.subarray(0, length));
  throw new Error('killed');
}

interface Sent {
  begun: number;
  done: number;
}

/** Counts the parts that are sent to a store. */
function countParts({ client }: Bucket): Sent {
  const sent: Sent = { begun: 0, done: 0 };
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (call) => {
        const isPart = commandName === 'UploadPartCommand';
        if (isPart) sent.begun += 1;
        const answer = await next(call);
        if (isPart) sent.done += 1;
        return answer;
      },
    { step: 'initialize' },
  );
  return sent;
}

async function untilIdle(sent: Sent): Promise<void> {
  while (sent.done < sent.begun) await new Promise((resolve) => setTimeout(resolve, 20));
}

function draftOf(id: string, importId: string): CommitDraft {
  return {
    kind: 'dataset',
    id,
    import_id: importId,
    attempt: 1,
    requested_by: 'a test',
    requested_at: '2026-01-01T00:00:00.000Z',
    started_at: '2026-01-01T00:00:00.000Z',
    imported_at: '2026-01-01T00:00:00.000Z',
    source: { submission: 'SUB-1', locator: `SUB-1/${id}`, fingerprint: 'f' },
    content: { files: 1, folders: 0, bytes: 1 },
    declared: [],
    agent: { service: 'a test', node: process.version },
  };
}
