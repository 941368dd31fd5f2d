import { mkdir, mkdtemp, readdir, readlink, rmdir, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { itIsRecords } from '../../../test/support/records.contract.js';
import { itIsARequestLog } from '../../../test/support/request-log.contract.js';
import {
  aBatch,
  aDraft,
  aFile,
  itIsAStorage,
  itWithdraws,
  writeAFile,
} from '../../../test/support/storage.contract.js';
import type { Commit, FileRecord } from '../../model/commit.js';
import { ForeignContentError, SupersededError, CaseVariantImportedError } from '../../model/storage-failure.js';
import { StoredRequestLog } from '../../request-log/stored-request-log.js';
import { FlushRecord } from './flush-failures.js';
import { PosixAttempt } from './posix-staging-area.js';
import { PosixRecords } from './posix-records.js';
import { PosixStorage } from './posix-storage.js';
import { removeTree } from './remove-tree.js';

let root: string;
let storage: PosixStorage;
const subject = { kind: 'dataset', id: 'DS-1' } as const;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'posix-storage-'));
  storage = new PosixStorage(root);
});

afterEach(() => removeTree(root));

describe(PosixStorage.name, () => {
  itIsAStorage(
    () => storage,
    async (path) => {
      const file = join(root, 'data', path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, '');
    },
  );
  itWithdraws(() => storage);

  it('should take what it finds where case is not distinguished for nobody else’s', async () => {
    const attempt = await storage.openAttempt(subject, 'T1', 'sha256:1');
    await writeAFile(attempt);
    await attempt.list([aFile]);
    const commit = await attempt.publish(aDraft());
    const twin = { ...subject, id: 'ds-1' };
    await symlink('DS-1', join(root, 'data/raw/ds-1'));
    expect([await storage.findCommit(twin), await storage.findCommit(subject)]).toEqual([null, commit]);
    expect(await storage.findCaseVariant(twin)).toEqual({ path: 'data/raw/DS-1/', commit });
    await expect(storage.openAttempt(twin, 'T2', 'sha256:1')).rejects.toThrow(CaseVariantImportedError);
  });

  it('should believe a list where nothing is noted, and only what stands', async () => {
    const attempt = await storage.openAttempt(subject, 'T1', 'sha256:1');
    await writeAFile(attempt);
    await attempt.list([aFile]);
    await attempt.publish(aDraft());
    await removeTree(join(root, 'data/.requests'));
    const twin = { ...subject, id: 'ds-1' };
    await storage.commits('dataset');
    expect((await storage.findCaseVariant(twin))?.commit.id).toBe('DS-1');
    await storage.withdraw(subject, 'IMPORT-1', 'W1');
    expect(await storage.findCaseVariant(twin)).toBeNull();
  });

  it('should refuse the first name that Linux does not keep', () => {
    const refusal = storage.refusalOf(subject, { path: `a/${'x'.repeat(256)}` });
    expect(refusal).toMatchObject({ code: 'name.too_long' });
  });

  it('should make its folder, and the folders above it, when they are missing at the first probe', async () => {
    const missing = join(root, 'not', 'yet');
    await new PosixStorage(missing).probe();
    await expect(stat(join(missing, 'data', 'raw'))).resolves.toMatchObject({ size: expect.any(Number) as number });
  });

  it('should know its room before anything was imported, and name the folder that is not there', async () => {
    expect((await storage.freeSpace()).bytes).toBeGreaterThan(0);
    const gone = join(root, 'gone');
    await expect(new PosixStorage(gone).freeSpace()).rejects.toMatchObject({
      errno: 'ENOENT',
      message: expect.stringContaining(gone) as string,
    });
  });

  it('should make everything read-only, and folders as old as in the source', async () => {
    const attempt = await storage.openAttempt(subject, 'T1', 'sha256:1');
    await writeAFile(attempt);
    const folder = { ...aFile, type: 'directory', size: 0, sha256: undefined } as const;
    // What ends a line for many readers may stand in a name.
    const odd = 'new\nline\u2028or\rpart';
    await attempt.list([{ ...folder, path: 'a' }, aFile, { ...folder, path: odd }]);
    await attempt.publish(aDraft());
    const place = join(root, 'data/raw/DS-1');
    for (const name of ['', 'a', odd, '.import']) expect(await modeOf(join(place, name))).toBe('550');
    for (const name of ['a/b', '.import/commit.json', '.import/files.ndjson']) {
      expect(await modeOf(join(place, name))).toBe('440');
    }
    expect((await stat(join(place, 'a'))).mtimeMs).toBe(1_700_000_000_000);
    await storage.discard(subject);
    expect(await readdir(join(root, 'data/.staging/dataset'))).toEqual([]);
  });

  it('should hold nothing open when it is superseded while it publishes', async () => {
    const attempt = await storage.openAttempt(subject, 'T1', 'sha256:1');
    await writeAFile(attempt);
    const folder = { ...aFile, type: 'directory', size: 0, sha256: undefined } as const;
    await attempt.list([{ ...folder, path: 'empty' }, ...Array.from({ length: 5_000 }, () => aFile)]);
    await rmdir(join(root, 'data/.staging/dataset/DS-1/T1/payload/empty'));
    await expect(attempt.publish(aDraft())).rejects.toThrow(SupersededError);
    const open = await Promise.all(
      (await readdir('/proc/self/fd')).map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
    );
    expect(open.filter((path) => path.startsWith(root))).toEqual([]);
  });

  it('should not take what another import has published for its own, nor publish its own a second time', async () => {
    const publishAs = async (importId: string, records: readonly FileRecord[]): Promise<Commit> => {
      const attempt = await storage.openAttempt(subject, importId, 'sha256:1');
      await writeAFile(attempt);
      await attempt.list(records);
      return attempt.publish(aDraft(importId));
    };
    const commit = await publishAs('IMPORT-1', [aFile]);
    const other = [{ ...aFile, mtime_ns: '1600000000000000000' }];
    await expect(publishAs('IMPORT-2', other)).rejects.toThrow(ForeignContentError);
    expect(await publishAs('IMPORT-1', other)).toEqual(commit);
    expect(await storage.findCommit(subject)).toEqual(commit);
  });

  it('should go on with one of several attempts that were left, and with no other', async () => {
    const staging = join(root, 'data/.staging/dataset/DS-1');
    for (const token of ['T1', 'T2']) await mkdir(join(staging, token, 'payload'), { recursive: true });
    await storage.openAttempt(subject, 'T3', 'sha256:1');
    expect(await readdir(staging)).toEqual(['T3']);
  });

  it('should not publish what a flush that failed for another attempt should have flushed', async () => {
    const flushes = new FlushRecord();
    const place = join(root, 'DS-1');
    const attempt = await PosixAttempt.open(
      { own: await mkdtemp(join(root, 'own-')), place, fingerprint: '' },
      flushes,
    );
    await writeAFile(attempt);
    await attempt.list([aFile]);
    flushes.failed += 1;
    await expect(attempt.publish(aDraft())).rejects.toThrow('could not be flushed');
    await expect(stat(place)).rejects.toThrow('ENOENT');
  });

  it('should believe nothing that is noted, in another process either, after a flush that did not succeed', async () => {
    const folders = { own: await mkdtemp(join(root, 'own-')), place: join(root, 'DS-1'), fingerprint: '' };
    const flushes = new FlushRecord();
    const copied = await PosixAttempt.open(folders, flushes);
    await writeAFile(copied);
    await copied.recordBatch(aBatch, [aFile.sha256]);
    const reopened = await PosixAttempt.open(folders, new FlushRecord());
    expect(await reopened.findFinished(aBatch)).toEqual([aFile.sha256]);
    await copied.list([aFile]);
    flushes.failed += 1;
    await expect(copied.publish(aDraft())).rejects.toThrow('could not be flushed');
    const later = await PosixAttempt.open(folders, new FlushRecord());
    expect(await later.findFinished(aBatch)).toBeNull();
  });

  it('should see what another process has published', async () => {
    expect((await storage.commits('dataset')).byId.size).toBe(0);
    const other = await new PosixStorage(root).openAttempt(subject, 'T1', 'sha256:1');
    await writeAFile(other);
    await other.list([aFile]);
    await other.publish(aDraft());
    expect([...(await storage.commits('dataset')).byId.keys()]).toEqual(['DS-1']);
    await removeTree(join(root, 'data/raw/DS-1'));
    expect((await storage.commits('dataset')).byId.size).toBe(0);
  });

  async function modeOf(path: string): Promise<string> {
    return ((await stat(path)).mode & 0o7777).toString(8);
  }
});

describe(PosixRecords.name, () => {
  itIsRecords(() => new PosixRecords(root));

  it('should leave what is written between the look at a record and its removal', async () => {
    const records = new PosixRecords(root);
    await records.create('folder/name', 'old');
    // Told that the one found is meant, and of the one taken aside that it is not.
    const answers = [true, false];
    await records.removeIf('folder/name', () => answers.shift() ?? false);
    expect([await records.read('folder/name'), await records.names('folder')]).toEqual(['old', ['name']]);
  });
});

describe(StoredRequestLog.name, () => {
  itIsARequestLog(() => new StoredRequestLog(new PosixRecords(root)));
});
