import { jest } from '@jest/globals';
import type { Bucket } from '../src/s3/bucket.js';
import { openBucket } from '../src/s3/s3-location.js';
import type { Subject } from '../src/model/identifier.js';
import { S3Storage } from '../src/storage/s3/s3-storage.js';
import { SupersededError } from '../src/model/storage-failure.js';
import { aBatch, aDraft, aFile, itWithdraws, writeAFile } from './support/storage.contract.js';
import { everythingIn, makeBucket, testAccess } from './support/s3.js';
import { storedFiles } from './support/stored-files.js';

jest.setTimeout(180_000);

const subject = { kind: 'dataset', id: 'DS-1' } as const;

describe(S3Storage.name, () => {
  let storage: S3Storage;
  let bucket: Bucket;
  let url: string;

  beforeEach(async () => {
    ({ bucket, url } = await makeBucket());
    storage = new S3Storage(bucket);
  });

  itWithdraws(() => storage);

  /** The objects of a withdrawn dataset with one file, `a/b`. */
  const kept = ['.import/commit.json', '.import/files.ndjson', '.import/manifest-sha256.txt', 'a/b'];

  async function publish(importId = 'IMPORT-1', of: Subject = subject): Promise<void> {
    const attempt = await storage.openAttempt(of, importId, 'f');
    await writeAFile(attempt);
    await attempt.recordBatch(aBatch, [{ sha256: aFile.sha256 }]);
    await attempt.list([aFile]);
    await attempt.publish({ ...aDraft(importId), ...of });
    await storage.discard(of);
  }

  it('should complete a withdrawal that was killed before any of its calls to the store', async () => {
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

  it('should keep a later import when a paused withdrawal continues before any of its calls to the store', async () => {
    let calls = 0;
    // After the first calls, the withdrawal makes the same calls for each object.
    for (let isDone = false; !isDone; calls += calls < 9 ? 1 : 4) {
      const slept = { kind: 'dataset', id: `DS-${String(calls)}` } as const;
      await publish('IMPORT-1', slept);
      const sleeper = new Sleeper(openBucket(url, testAccess), calls);
      const sleeping = new S3Storage(sleeper.bucket).withdraw(slept, 'IMPORT-1', 'W').catch(() => undefined);
      isDone = await Promise.race([sleeper.asleep.then(() => false), sleeping.then(() => true)]);
      await storage.withdraw(slept, 'IMPORT-1', 'W');
      await publish('IMPORT-2', slept);
      sleeper.wake();
      await sleeping;
      expect([calls, (await storage.findCommit(slept))?.import_id]).toEqual([calls, 'IMPORT-2']);
      expect(await storedFiles(storage, slept)).toEqual(['a/b']);
      expect(await keysUnder(bucket, `data/.staging/dataset/${slept.id}/`)).toEqual([]);
      expect(await keysUnder(bucket, `data/.withdrawn/raw/${slept.id}.W/`)).toEqual(kept);
    }
    expect(calls).toBeGreaterThan(10);
  });

  it('should stay withdrawn when a paused attempt whose publication another process completed continues', async () => {
    const own = openBucket(url, testAccess);
    const attempt = await new S3Storage(own).openAttempt(subject, 'IMPORT-1', 'f');
    await writeAFile(attempt);
    await attempt.recordBatch(aBatch, [{ sha256: aFile.sha256 }]);
    await attempt.list([aFile]);
    const decide = own.replace.bind(own);
    own.replace = async (...decision) => {
      const etag = await decide(...decision);
      expect(await storage.completePublication(subject)).toMatchObject({ import_id: 'IMPORT-1' });
      await storage.discard(subject);
      await storage.withdraw(subject, 'IMPORT-1', 'W1');
      return etag;
    };
    await expect(attempt.publish(aDraft())).rejects.toThrow(SupersededError);
    expect(await storage.findCommit(subject)).toBeNull();
  });

  it('should be refused when an import has started since the withdrawal read the owner', async () => {
    await publish('IMPORT-1');
    const sleeper = new Sleeper(openBucket(url, testAccess), 2);
    const sleeping = new S3Storage(sleeper.bucket).withdraw(subject, 'IMPORT-1', 'W1').catch((error: unknown) => error);
    await sleeper.asleep;
    await storage.withdraw(subject, 'IMPORT-1', 'W1');
    const attempt = await storage.openAttempt(subject, 'IMPORT-2', 'f');
    sleeper.wake();
    expect(await sleeping).toBeInstanceOf(SupersededError);
    await writeAFile(attempt);
    await attempt.recordBatch(aBatch, [{ sha256: aFile.sha256 }]);
    await attempt.list([aFile]);
    expect(await attempt.publish(aDraft('IMPORT-2'))).toMatchObject({ import_id: 'IMPORT-2' });
  });
});

/**
 * A bucket whose calls wait, after a number of calls, until `wake` is called. Removals do not wait: they cannot be
 * conditional, and each follows an ownership check.
 */
class Sleeper {
  readonly asleep: Promise<void>;
  wake: () => void = () => undefined;

  constructor(
    readonly bucket: Bucket,
    calls: number,
  ) {
    let remaining = calls;
    const woken = new Promise<void>((resolve) => (this.wake = resolve));
    this.asleep = new Promise((fallAsleep) => {
      bucket.client.middlewareStack.add(
        (next, { commandName }) =>
          async (call) => {
            if (commandName === 'DeleteObjectCommand' || remaining-- > 0) return next(call);
            fallAsleep();
            await woken;
            return next(call);
          },
        { step: 'initialize', name: 'sleep' },
      );
    });
  }
}

/** Returns the keys below a prefix, without the prefix. */
async function keysUnder(bucket: Bucket, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of bucket.list(prefix)) keys.push(key.slice(prefix.length));
  return keys;
}

/** Lets a number of calls through and rejects all later calls, as if the process had been killed. */
function killAfter({ client }: Bucket, calls: number): { readonly end: () => void } {
  let remaining = calls;
  const name = `kill-${String(calls)}`;
  client.middlewareStack.add((next) => (call) => (remaining-- > 0 ? next(call) : Promise.reject(new Error('killed'))), {
    step: 'initialize',
    name,
  });
  return { end: () => void client.middlewareStack.remove(name) };
}
