import { closeSync, writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { openNewFile } from '../../src/copy/new-file.js';
import type { Subject } from '../../src/model/identifier.js';
import { headOf, type Commit, type CommitDraft } from '../../src/model/commit.js';
import type { Attempt, Storage, StoredFile } from '../../src/model/storage.js';
import {
  ForeignContentError,
  NothingToWithdrawError,
  SupersededError,
  CaseVariantImportedError,
} from '../../src/model/storage-failure.js';
import { storedFiles } from './stored-files.js';

const subject = { kind: 'dataset', id: 'DS-1' } as const;

export const aFile = {
  path: 'a/b',
  type: 'file',
  size: 1,
  mtime_ns: '1700000000000000000',
  source_mode: '0644',
  sha256: '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',
} as const;

const aFolder = {
  path: 'a',
  type: 'directory',
  size: 0,
  mtime_ns: '1700000000000000000',
  source_mode: '0755',
} as const;
export const aBatch = { key: 'batch-1', files: [{ path: 'a/b', size: 1, mtimeNs: 1_700_000_000_000_000_000n }] };

/** What an attempt at DS-1 is published with. */
export function aDraft(importId = 'IMPORT-1'): CommitDraft {
  const now = new Date().toISOString();
  return {
    ...subject,
    import_id: importId,
    attempt: 1,
    requested_by: 'test',
    requested_at: now,
    started_at: now,
    imported_at: now,
    source: { submission: 'SUB-1', locator: 'SUB-1/DS-1', fingerprint: 'sha256:1' },
    content: { files: 1, folders: 1, bytes: 1 },
    declared: [],
    agent: { service: 'test', node: process.version },
  };
}

/** Puts the byte `1` into an attempt as `a/b`. */
export async function writeAFile(attempt: Attempt): Promise<void> {
  const content = Readable.from([Buffer.from('1')]) as AsyncIterable<Buffer>;
  await write(attempt, { path: aFile.path, size: aFile.size, mtimeNs: BigInt(aFile.mtime_ns) }, content);
}

/** Puts a file into an attempt, as copying does. */
export async function write(attempt: Attempt, file: StoredFile, content: AsyncIterable<Buffer>): Promise<void> {
  const { target } = attempt;
  if (!('folder' in target)) return target.write(file, content);
  const chunks: Buffer[] = [];
  for await (const bytes of content) chunks.push(bytes);
  try {
    const descriptor = openNewFile(target.folder, file.path);
    for (const bytes of chunks) writeSync(descriptor, bytes);
    closeSync(descriptor);
  } catch (error) {
    // That the staging folder is gone means to an import that another attempt has taken over.
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new SupersededError() : error;
  }
}

/**
 * What every storage must do.
 *
 * @param open the storage of the running test
 * @param putForeign puts a file there, by its path below `data/`, as nobody of ours would
 */
export function itIsAStorage(open: () => Storage, putForeign: (path: string) => Promise<void>): void {
  async function filled(token: string): Promise<Attempt> {
    const attempt = await open().openAttempt(subject, token, 'sha256:1');
    await writeAFile(attempt);
    await attempt.recordBatch(aBatch, [aFile.sha256]);
    return attempt;
  }

  async function published(importId: string): Promise<Commit> {
    const attempt = await filled(importId);
    await attempt.list([aFolder, aFile]);
    return attempt.publish(aDraft(importId));
  }

  it('should pass its own probe, and answer', async () => {
    await open().probe();
    await open().ping();
    await open().tryWriting();
    expect((await open().freeSpace()).bytes).toBeGreaterThan(0);
  });

  it('should hold nothing until an attempt is published, and then all of it', async () => {
    const attempt = await filled('T1');
    expect(await open().findCommit(subject)).toBeNull();
    await attempt.list([aFolder, aFile]);
    const commit = await attempt.publish(aDraft());
    expect(await open().findCommit(subject)).toEqual(commit);
    expect((await open().commits('dataset')).byId.get('DS-1')).toEqual(headOf(commit));
    expect(await storedFiles(open(), subject)).toEqual(['a/b']);
    const [lines, manifest] = await Promise.all([text('ndjson'), text('sha256sum')]);
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([aFolder, aFile]);
    expect(manifest).toBe(`${aFile.sha256}  a/b\n`);
    const { manifest_sha256 } = commit.content;
    expect(await open().digestOfManifest(subject, AbortSignal.timeout(60_000))).toBe(manifest_sha256);
    await expect(open().digestOfManifest(subject, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
    const nobody = { ...subject, id: 'DS-0' };
    const absence = { errno: 'ENOENT' };
    await expect(open().digestOfManifest(nobody, AbortSignal.timeout(60_000))).rejects.toMatchObject(absence);
  });

  it('should publish once: a second attempt of the same import changes nothing of what the first made', async () => {
    const commit = await published('IMPORT-1');
    const [second] = await Promise.allSettled([published('IMPORT-1')]);
    if (second.status === 'fulfilled') expect(second.value).toEqual(commit);
    else expect(second.reason).toBeInstanceOf(SupersededError);
    expect(await open().findCommit(subject)).toEqual(commit);
    await open().discard(subject);
  });

  it('should publish once when two publish at the same time', async () => {
    const ids = ['IMPORT-1', 'IMPORT-2'];
    const ends = await Promise.allSettled(ids.map(published));
    const standing = await open().findCommit(subject);
    expect(ids).toContain(standing?.import_id);
    for (const end of ends) {
      if (end.status === 'fulfilled') expect(end.value).toEqual(standing);
      else expect(end.reason).toBeInstanceOf(SupersededError);
    }
    expect(await storedFiles(open(), subject)).toEqual(['a/b']);
  });

  it('should neither take over nor remove what nobody of ours has put there', async () => {
    await putForeign('raw/DS-1/precious');
    await expect(published('IMPORT-1')).rejects.toThrow(ForeignContentError);
    await open().discard(subject);
    expect(await open().findCommit(subject)).toBeNull();
    expect(await storedFiles(open(), subject)).toEqual(['precious']);
  });

  it('should refuse a name that is too long for it', () => {
    const refusal = open().refusalOf(subject, { path: 'x/'.repeat(2000), type: 'file' });
    expect(refusal).toMatchObject({ code: 'name.too_long' });
    expect(open().refusalOf(subject, { path: 'x'.repeat(255), type: 'file' })).toBeUndefined();
  });

  it('should let a later attempt take over, and the earlier one do no more', async () => {
    const earlier = await filled('T1');
    const later = await open().openAttempt(subject, 'T2', 'sha256:1');
    expect(await later.findFinished({ ...aBatch, key: 'batch-2' })).toBeNull();
    expect(await later.findFinished(aBatch)).toEqual([aFile.sha256]);
    await expect(earlier.recordBatch(aBatch, [aFile.sha256])).rejects.toThrow(SupersededError);
    // Of these it need not be told: what it writes nobody sees.
    await Promise.allSettled([writeAFile(earlier), earlier.list([aFile])]);
    await expect(earlier.publish(aDraft())).rejects.toThrow(SupersededError);
    await later.list([aFolder, aFile]);
    await later.publish(aDraft());
  });

  it('should throw away what was copied from another state of the source', async () => {
    await filled('T1');
    const later = await open().openAttempt(subject, 'T2', 'sha256:2');
    expect(await later.findFinished(aBatch)).toBeNull();
  });

  it('should leave nothing of a discarded subject, and bear with discarding twice', async () => {
    await filled('T1');
    await open().discard(subject);
    await open().discard(subject);
    expect(await (await open().openAttempt(subject, 'T2', 'sha256:1')).findFinished(aBatch)).toBeNull();
  });

  async function text(form: 'ndjson' | 'sha256sum'): Promise<string> {
    const chunks = await open().openList(subject, form).toArray();
    return Buffer.concat(chunks as Buffer[]).toString();
  }
}

/** What every storage must do with what is withdrawn. */
export function itWithdraws(open: () => Storage): void {
  async function published(importId: string, of: Subject = subject): Promise<void> {
    const attempt = await open().openAttempt(of, importId, 'sha256:1');
    await writeAFile(attempt);
    await attempt.recordBatch(aBatch, [aFile.sha256]);
    await attempt.list([aFolder, aFile]);
    await attempt.publish({ ...aDraft(importId), ...of });
    await open().discard(of);
  }

  it('should keep out an id that differs by case only from one that is imported, until that is withdrawn', async () => {
    const twin = { ...subject, id: 'ds-1' };
    expect(await open().findCaseVariant(subject)).toBeNull();
    await published('IMPORT-1');
    const commit = await open().findCommit(subject);
    expect((await open().commits('dataset')).caseVariantOf('ds-1')).toBe('DS-1');
    expect(await open().findCaseVariant(twin)).toEqual({ path: 'data/raw/DS-1/', commit });
    expect([await open().findCaseVariant(subject), await open().findCommit(twin)]).toEqual([null, null]);
    await expect(published('IMPORT-2', twin)).rejects.toThrow(CaseVariantImportedError);
    await open().withdraw(subject, 'IMPORT-1', 'W1');
    expect(await open().findCaseVariant(twin)).toBeNull();
    await published('IMPORT-3', twin);
    const heads = await open().commits('dataset');
    expect([[...heads.byId.keys()], heads.caseVariantOf('DS-1'), heads.caseVariantOf('ds-1')]).toEqual([['ds-1'], 'ds-1', undefined]);
    await expect(published('IMPORT-4')).rejects.toThrow(CaseVariantImportedError);
    const collection = { kind: 'submission', id: 'DS-1' } as const;
    expect(await open().findCaseVariant(collection)).toBeNull();
  });

  it('should move what is withdrawn aside, once, and make room for it to be imported again', async () => {
    await published('IMPORT-1');
    const commit = await open().findCommit(subject);
    const withdrawn = await open().withdraw(subject, 'IMPORT-1', 'W1');
    expect(withdrawn).toEqual({ path: 'data/.withdrawn/raw/DS-1.W1/', commit });
    expect(await open().findCommit(subject)).toBeNull();
    expect((await open().commits('dataset')).byId.has('DS-1')).toBe(false);
    expect(await open().withdraw(subject, 'IMPORT-1', 'W1')).toEqual(withdrawn);
    await published('IMPORT-2');
    await open().withdraw(subject, 'IMPORT-1', 'W1');
    expect((await open().commits('dataset')).byId.get('DS-1')?.import_id).toBe('IMPORT-2');
    expect(await storedFiles(open(), subject)).toEqual(['a/b']);
  });

  it('should not withdraw what another import has made, nor what is not there', async () => {
    await expect(open().withdraw(subject, 'IMPORT-1', 'W1')).rejects.toThrow(NothingToWithdrawError);
    await published('IMPORT-1');
    await expect(open().withdraw(subject, 'IMPORT-2', 'W1')).rejects.toThrow(NothingToWithdrawError);
    expect(await open().findCommit(subject)).not.toBeNull();
  });
}
