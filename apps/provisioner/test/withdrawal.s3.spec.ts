import { jest } from '@jest/globals';
import type { Bucket } from '../src/s3/bucket.js';
import { S3Storage } from '../src/storage/s3/s3-storage.js';
import { aBatch, aDraft, aFile, itWithdraws, writeAFile } from './support/storage.contract.js';
import { everythingIn, makeBucket } from './support/s3.js';

jest.setTimeout(120_000);

const subject = { kind: 'dataset', id: 'DS-1' } as const;

describe(S3Storage.name, () => {
  let storage: S3Storage;
  let bucket: Bucket;

  beforeEach(async () => {
    ({ bucket } = await makeBucket());
    storage = new S3Storage(bucket);
  });

  itWithdraws(() => storage);

  async function publish(): Promise<void> {
    const attempt = await storage.openAttempt(subject, 'T1', 'f');
    await writeAFile(attempt);
    await attempt.noteFinished(aBatch, [aFile.sha256]);
    await attempt.list([aFile]);
    await attempt.publish(aDraft());
    await storage.discard(subject);
  }

  it('should go on with a withdrawal that was killed before any call to the store, and lose nothing', async () => {
    const kept = ['.import/commit.json', '.import/files.ndjson', '.import/manifest-sha256.txt', 'a/b'];
    let calls = 0;
    for (let isDone = false; !isDone; calls++) {
      await publish();
      const token = `W${String(calls)}`;
      const killing = killAfter(bucket, calls);
      isDone = await storage.withdraw(subject, 'IMPORT-1', token).then(
        () => true,
        () => false,
      );
      killing.end();
      await storage.withdraw(subject, 'IMPORT-1', token);
      const { keys, uploads } = await everythingIn(bucket);
      expect([calls, uploads, keys.filter((key) => key.includes(token) || key.startsWith('data/raw'))]).toEqual([
        calls,
        0,
        kept.map((path) => `data/.withdrawn/raw/DS-1.${token}/${path}`),
      ]);
      expect(await storage.findCommit(subject)).toBeNull();
    }
    expect(calls).toBeGreaterThan(10);
  });
});

/** Lets so many calls through, and none after them: as far as the store can tell, the process is gone. */
function killAfter({ client }: Bucket, calls: number): { readonly end: () => void } {
  let left = calls;
  const name = `kill-${String(calls)}`;
  client.middlewareStack.add((next) => (call) => (left-- > 0 ? next(call) : Promise.reject(new Error('killed'))), {
    step: 'initialize',
    name,
  });
  return { end: () => void client.middlewareStack.remove(name) };
}
