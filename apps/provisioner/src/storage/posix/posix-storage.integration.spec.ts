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
import { FlushFailures } from './flush-failures.js';
import { PosixStagingArea } from './posix-staging-area.js';
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

  it('should not return the commit of another spelling when the file system ignores case', async () => {
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

  it('should find a case variant in the last listing when no spelling is recorded', async () => {
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

  it('should refuse a name of 256 bytes', () => {
    const refusal = storage.refusalOf(subject, { path: `a/${'x'.repeat(256)}` });
    expect(refusal).toMatchObject({ code: 'name.too_long' });
  });

  it('should create its folder and missing parents at the first probe', async () => {
    const missing = join(root, 'not', 'yet');
    await new PosixStorage(missing).probe();
    await expect(stat(join(missing, 'data', 'raw'))).resolves.toMatchObject({ size: expect.any(Number) as number });
  });

  it('should report its free space before the first import', async () => {
    expect((await storage.freeSpace()).bytes).toBeGreaterThan(0);
  });

  it('should name the folder when the free space of a missing folder is requested', async () => {
    const gone = join(root, 'gone');
    await expect(new PosixStorage(gone).freeSpace()).rejects.toMatchObject({
      errno: 'ENOENT',
      message: expect.stringContaining(gone) as string,
    });
  });

  it('should publish read-only files and folders with the times of the source', async () => {
    const attempt = await storage.openAttempt(subject, 'T1', 'sha256:1');
    await writeAFile(attempt);
    const folder = { ...aFile, type: 'directory', size: 0, sha256: undefined } as const;
    const nameWithLineBreaks = 'new\nline\u2028or\rpart';
    await attempt.list([{ ...folder, path: 'a' }, aFile, { ...folder, path: nameWithLineBreaks }]);
    await attempt.publish(aDraft());
    const published = join(root, 'data/raw/DS-1');
    for (const name of ['', 'a', nameWithLineBreaks, '.import'])
      expect(await modeOf(join(published, name))).toBe('550');
    for (const name of ['a/b', '.import/commit.json', '.import/files.ndjson']) {
      expect(await modeOf(join(published, name))).toBe('440');
    }
    expect((await stat(join(published, 'a'))).mtimeMs).toBe(1_700_000_000_000);
    await storage.discard(subject);
    expect(await readdir(join(root, 'data/.staging/dataset'))).toEqual([]);
  });

  it('should close all files when an attempt is superseded during its publication', async () => {
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

  it('should refuse to replace another import and return the commit of an import published before', async () => {
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

  it('should take over one staging folder and remove the others when several exist', async () => {
    const staging = join(root, 'data/.staging/dataset/DS-1');
    for (const token of ['T1', 'T2']) await mkdir(join(staging, token, 'payload'), { recursive: true });
    await storage.openAttempt(subject, 'T3', 'sha256:1');
    expect(await readdir(staging)).toEqual(['T3']);
  });

  it('should refuse to publish when a flush of another attempt has failed', async () => {
    const failures = new FlushFailures();
    const published = join(root, 'DS-1');
    const own = await mkdtemp(join(root, 'own-'));
    const attempt = await PosixStagingArea.open({ own, published, fingerprint: '' }, failures);
    await writeAFile(attempt);
    await attempt.list([aFile]);
    failures.count += 1;
    await expect(attempt.publish(aDraft())).rejects.toThrow('could not be flushed');
    await expect(stat(published)).rejects.toThrow('ENOENT');
  });

  it('should ignore finished batches in every process when a flush has failed', async () => {
    const folders = { own: await mkdtemp(join(root, 'own-')), published: join(root, 'DS-1'), fingerprint: '' };
    const failures = new FlushFailures();
    const copied = await PosixStagingArea.open(folders, failures);
    await writeAFile(copied);
    await copied.recordBatch(aBatch, [{ sha256: aFile.sha256 }]);
    const reopened = await PosixStagingArea.open(folders, new FlushFailures());
    expect(await reopened.findFinished(aBatch)).toEqual([{ sha256: aFile.sha256 }]);
    await copied.list([aFile]);
    failures.count += 1;
    await expect(copied.publish(aDraft())).rejects.toThrow('could not be flushed');
    const later = await PosixStagingArea.open(folders, new FlushFailures());
    expect(await later.findFinished(aBatch)).toBeNull();
  });

  it('should list the commits that another process publishes and removes', async () => {
    expect((await storage.commits('dataset')).bySubject.size).toBe(0);
    const other = await new PosixStorage(root).openAttempt(subject, 'T1', 'sha256:1');
    await writeAFile(other);
    await other.list([aFile]);
    await other.publish(aDraft());
    expect([...(await storage.commits('dataset')).bySubject.keys()]).toEqual(['DS-1']);
    await removeTree(join(root, 'data/raw/DS-1'));
    expect((await storage.commits('dataset')).bySubject.size).toBe(0);
  });

  async function modeOf(path: string): Promise<string> {
    return ((await stat(path)).mode & 0o7777).toString(8);
  }
});

describe(PosixRecords.name, () => {
  itIsRecords(() => new PosixRecords(root));

  it('should keep a record that is replaced between its check and its removal', async () => {
    const records = new PosixRecords(root);
    await records.create('folder/name', 'old');
    // The record matches when it is read first and no longer matches after it was set aside.
    const matches = [true, false];
    await records.removeIf('folder/name', () => matches.shift() ?? false);
    expect([await records.read('folder/name'), await records.names('folder')]).toEqual(['old', ['name']]);
  });
});

describe(StoredRequestLog.name, () => {
  itIsARequestLog(() => new StoredRequestLog(new PosixRecords(root)));
});
