import { jest } from '@jest/globals';
import { createHash } from 'node:crypto';
import { until } from '../../../test/support/until.ts';
import type { Bucket } from '../src/s3/bucket.js';
import { S3Records } from '../src/storage/s3/s3-records.js';
import { S3Storage } from '../src/storage/s3/s3-storage.js';
import { StoredRequestLog } from '../src/request-log/stored-request-log.js';
import { itIsRecords } from './support/records.contract.js';
import { itIsARequestLog } from './support/request-log.contract.js';
import { everythingIn, makeBucket } from './support/s3.js';
import { aBatch, aDraft, itIsAStorage, write, writeAFile } from './support/storage.contract.js';

jest.setTimeout(60_000);

const mebibyte = 1024 * 1024;
const subject = { kind: 'dataset', id: 'DS-1' } as const;

let bucket: Bucket;

beforeEach(async () => {
  ({ bucket } = await makeBucket());
});

describe(S3Storage.name, () => {
  itIsAStorage(
    () => new S3Storage(bucket),
    async (path) => {
      await bucket.put(`data/${path}`, Buffer.from(''));
    },
  );
});

describe(S3Records.name, () => {
  itIsRecords(() => new S3Records(bucket));
});

describe(StoredRequestLog.name, () => {
  itIsARequestLog(() => new StoredRequestLog(new S3Records(bucket)));
});

describe('S3StagingArea', () => {
  it('should resume the upload of a large file when a killed attempt has sent parts of it', async () => {
    const storage = new S3Storage(bucket);
    const sent = countParts(bucket);
    const content = Buffer.concat(Array.from({ length: 40 }, (_, index) => Buffer.alloc(mebibyte, index)));
    const file = { path: 'big', size: content.length, mtimeNs: 0n };

    const killed = await storage.openAttempt(subject, 'one', 'f');
    await expect(write(killed, file, brokenAfter(content, 36 * mebibyte))).rejects.toThrow('killed');
    await untilIdle(sent);
    expect(sent.done).toBe(4);
    expect((await everythingIn(bucket)).uploads).toBe(1);

    const next = await storage.openAttempt(subject, 'two', 'f');
    await write(next, file, inChunks(content));
    expect(sent.done).toBe(5);
    await next.recordBatch({ key: 'big', files: [file] }, [{ sha256: 'x' }]);
    await next.list([{ path: 'big', type: 'file', size: file.size, mtime_ns: '0', source_mode: '0644', sha256: 'x' }]);
    await next.publish(aDraft());
    const stored = Buffer.concat(await storage.openFile(subject, 'big').toArray());
    expect(stored.equals(content)).toBe(true);
    expect((await everythingIn(bucket)).uploads).toBe(0);
  });

  it('should write complete lists of several parts when an earlier attempt was killed during its lists', async () => {
    const storage = new S3Storage(bucket);
    const record = { type: 'file', size: 1, mtime_ns: '0', source_mode: '0644', sha256: 'a'.repeat(64) } as const;
    const records = Array.from({ length: 40_000 }, (_, index) => ({
      ...record,
      path: 'p'.repeat(200) + String(index),
    }));
    await (await storage.openAttempt(subject, 'one', 'f')).list(records);
    expect((await everythingIn(bucket)).uploads).toBe(2);

    const next = await storage.openAttempt(subject, 'two', 'f');
    await writeAFile(next);
    await next.recordBatch(aBatch, [{ sha256: record.sha256 }]);
    for (let from = 0; from < records.length; from += 256) await next.list(records.slice(from, from + 256));
    const { content } = await next.publish(aDraft());
    const digest = createHash('sha256');
    for await (const bytes of storage.openList(subject, 'ndjson')) digest.update(bytes as Buffer);
    expect(digest.digest('hex')).toBe(content.list_sha256);
    expect(await storage.digestOfManifest(subject, 'sha256', AbortSignal.timeout(60_000))).toBe(
      content.manifest_sha256,
    );
    expect((await everythingIn(bucket)).uploads).toBe(0);
  });

  it('should abort the uploads of an earlier attempt when the source has changed', async () => {
    const storage = new S3Storage(bucket);
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
  started: number;
  done: number;
}

/** Counts the parts that are sent to a store. */
function countParts({ client }: Bucket): Sent {
  const sent: Sent = { started: 0, done: 0 };
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (call) => {
        const isPart = commandName === 'UploadPartCommand';
        if (isPart) sent.started += 1;
        const output = await next(call);
        if (isPart) sent.done += 1;
        return output;
      },
    { step: 'initialize' },
  );
  return sent;
}

async function untilIdle(sent: Sent): Promise<void> {
  await until(() => sent.done === sent.started);
}
