import { closeSync, writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { openNewFile } from '../../src/copy/new-file.js';
import type { Subject } from '../../src/model/identifier.js';
import { headOf, type Commit, type CommitDraft } from '../../src/model/commit.js';
import type { Attempt } from '../../src/model/attempt.js';
import type { StoredFile } from '../../src/model/workspace.js';
import type { Storage } from '../../src/model/storage.js';
import {
  ForeignContentError,
  NothingToWithdrawError,
  SupersededError,
  CaseVariantImportedError,
} from '../../src/model/storage-failure.js';
import { storedFiles } from './stored-files.js';
import type { ManifestAlgorithm } from '../../src/settings/manifest-algorithms.js';

const subject = { kind: 'dataset', id: 'DS-1' } as const;

export const aFile = {
  path: 'a/b',
  type: 'file',
  size: 1,
  mtime_ns: '1700000000000000000',
  source_mode: '0644',
  sha256: '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',
} as const;

const aFolder = { path: 'a', type: 'directory', size: 0, mtime_ns: aFile.mtime_ns, source_mode: '0755' } as const;
export const aBatch = { key: 'batch-1', files: [{ path: 'a/b', size: 1, mtimeNs: 1_700_000_000_000_000_000n }] };

/** Returns the draft of a commit of DS-1. */
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

/** Writes the byte `1` to a staging area as `a/b`. */
export async function writeAFile(attempt: Attempt): Promise<void> {
  const content = Readable.from([Buffer.from('1')]) as AsyncIterable<Buffer>;
  await write(attempt, { path: aFile.path, size: aFile.size, mtimeNs: BigInt(aFile.mtime_ns) }, content);
}

/** Writes a file to a staging area like a copier. */
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
    // An import treats a missing staging folder as a takeover by another attempt.
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new SupersededError() : error;
  }
}

/**
 * Tests the contract of a storage.
 *
 * @param open returns the storage of the running test
 * @param putForeign writes a foreign file, by its path below `data/`
 */
export function itIsAStorage(open: () => Storage, putForeign: (path: string) => Promise<void>): void {
  async function filled(token: string): Promise<Attempt> {
    const attempt = await open().openAttempt(subject, token, 'sha256:1');
    await writeAFile(attempt);
    await attempt.recordBatch(aBatch, [{ sha256: aFile.sha256 }]);
    return attempt;
  }

  async function published(importId: string): Promise<Commit> {
    const attempt = await filled(importId);
    await attempt.list([aFolder, aFile]);
    return attempt.publish(aDraft(importId));
  }

  it('should pass its probe and respond to a ping', async () => {
    await open().probe();
    await open().ping();
    await open().tryWriting();
    expect((await open().freeSpace()).bytes).toBeGreaterThan(0);
  });

  it('should count the staged files of an attempt if its free space is limited', async () => {
    await filled('T1');
    const isLimited = Number.isFinite((await open().freeSpace()).bytes);
    expect(await open().stagedSize(subject, 'sha256:1')).toEqual(isLimited ? { bytes: 1, files: 2 } : null);
    await open().discard(subject);
    expect(await open().stagedSize(subject, 'sha256:1')).toEqual(isLimited ? { bytes: 0, files: 0 } : null);
  });

  it('should publish the commit, the files and the lists of an attempt at once', async () => {
    const attempt = await filled('T1');
    expect(await open().findCommit(subject)).toBeNull();
    await attempt.list([aFolder, aFile]);
    const commit = await attempt.publish(aDraft());
    expect(await open().findCommit(subject)).toEqual(commit);
    expect((await open().commits('dataset')).bySubject.get('DS-1')).toEqual(headOf(commit));
    expect(await storedFiles(open(), subject)).toEqual(['a/b']);
    const [lines, manifest] = await Promise.all([text('ndjson'), text('sha256')]);
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([aFolder, aFile]);
    expect(manifest).toBe(`${aFile.sha256}  a/b\n`);
    const { manifest_sha256 } = commit.content;
    expect(await open().digestOfManifest(subject, 'sha256', AbortSignal.timeout(60_000))).toBe(manifest_sha256);
    await expect(open().digestOfManifest(subject, 'sha256', AbortSignal.abort(new Error('stopped')))).rejects.toThrow(
      'stopped',
    );
    const missing = { ...subject, id: 'DS-0' };
    await expect(open().digestOfManifest(missing, 'sha256', AbortSignal.timeout(60_000))).rejects.toMatchObject({
      errno: 'ENOENT',
    });
  });

  it('should keep the first publication when a second attempt of the same import publishes', async () => {
    const commit = await published('IMPORT-1');
    const [second] = await Promise.allSettled([published('IMPORT-1')]);
    if (second.status === 'fulfilled') expect(second.value).toEqual(commit);
    else expect(second.reason).toBeInstanceOf(SupersededError);
    expect(await open().findCommit(subject)).toEqual(commit);
    await open().discard(subject);
  });

  it('should publish one import when two publish at the same time', async () => {
    const ids = ['IMPORT-1', 'IMPORT-2'];
    const ends = await Promise.allSettled(ids.map(published));
    const commit = await open().findCommit(subject);
    expect(ids).toContain(commit?.import_id);
    for (const end of ends) {
      if (end.status === 'fulfilled') expect(end.value).toEqual(commit);
      else expect(end.reason).toBeInstanceOf(SupersededError);
    }
    expect(await storedFiles(open(), subject)).toEqual(['a/b']);
  });

  it('should refuse to publish over foreign files and keep them', async () => {
    await putForeign('raw/DS-1/precious');
    await expect(published('IMPORT-1')).rejects.toThrow(ForeignContentError);
    await open().discard(subject);
    expect(await open().findCommit(subject)).toBeNull();
    expect(await storedFiles(open(), subject)).toEqual(['precious']);
  });

  it('should refuse a path that is too long', () => {
    const refusal = open().refusalOf(subject, { path: 'x/'.repeat(2000), type: 'file' });
    expect(refusal).toMatchObject({ code: 'name.too_long' });
    expect(open().refusalOf(subject, { path: 'x'.repeat(255), type: 'file' })).toBeUndefined();
  });

  it('should let a later attempt reuse finished files and refuse the earlier attempt', async () => {
    const earlier = await filled('T1');
    const later = await open().openAttempt(subject, 'T2', 'sha256:1');
    expect(await later.findFinished({ ...aBatch, key: 'batch-2' })).toBeNull();
    expect(await later.findFinished(aBatch)).toEqual([{ sha256: aFile.sha256 }]);
    await expect(earlier.recordBatch(aBatch, [{ sha256: aFile.sha256 }])).rejects.toThrow(SupersededError);
    // The storage may accept these writes, because they are never published.
    await Promise.allSettled([writeAFile(earlier), earlier.list([aFile])]);
    await expect(earlier.publish(aDraft())).rejects.toThrow(SupersededError);
    await later.list([aFolder, aFile]);
    await later.publish(aDraft());
  });

  it('should publish a manifest of each further algorithm', async () => {
    const digests = { sha256: aFile.sha256, md5: 'd'.repeat(32) };
    const attempt = await open().openAttempt(subject, 'T1', 'sha256:1', ['md5']);
    expect(attempt.manifestAlgorithms).toEqual(['md5']);
    await writeAFile(attempt);
    await attempt.recordBatch(aBatch, [digests]);
    await attempt.list([aFolder, { ...aFile, digests: { md5: digests.md5 } }]);
    const { content } = await attempt.publish(aDraft());
    expect(await text('md5')).toBe(`${digests.md5}  a/b\n`);
    expect(await text('sha256')).toBe(`${aFile.sha256}  a/b\n`);
    const digest = await open().digestOfManifest(subject, 'md5', AbortSignal.timeout(60_000));
    expect(content.manifests).toEqual({ md5: digest });
  });

  it('should find finished files only when their record has the digests of every manifest', async () => {
    const digests = { sha256: aFile.sha256, md5: 'd'.repeat(32) };
    await filled('T1');
    const later = await open().openAttempt(subject, 'T2', 'sha256:1', ['md5']);
    expect(await later.findFinished(aBatch)).toBeNull();
    await writeAFile(later);
    await later.recordBatch(aBatch, [digests]);
    const last = await open().openAttempt(subject, 'T3', 'sha256:1', ['md5']);
    expect(await last.findFinished(aBatch)).toEqual([digests]);
    await last.list([aFolder, { ...aFile, digests: { md5: digests.md5 } }]);
    await last.publish(aDraft());
  });

  it('should discard finished files when the fingerprint of the source has changed', async () => {
    await filled('T1');
    const later = await open().openAttempt(subject, 'T2', 'sha256:2');
    expect(await later.findFinished(aBatch)).toBeNull();
  });

  it('should remove the finished files of a subject when it is discarded twice', async () => {
    await filled('T1');
    await open().discard(subject);
    await open().discard(subject);
    expect(await (await open().openAttempt(subject, 'T2', 'sha256:1')).findFinished(aBatch)).toBeNull();
  });

  async function text(list: 'ndjson' | ManifestAlgorithm): Promise<string> {
    const chunks = await open().openList(subject, list).toArray();
    return Buffer.concat(chunks as Buffer[]).toString();
  }
}

/** Tests the contract of a storage for withdrawals and case variants. */
export function itWithdraws(open: () => Storage): void {
  async function published(importId: string, of: Subject = subject): Promise<void> {
    const attempt = await open().openAttempt(of, importId, 'sha256:1');
    await writeAFile(attempt);
    await attempt.recordBatch(aBatch, [{ sha256: aFile.sha256 }]);
    await attempt.list([aFolder, aFile]);
    await attempt.publish({ ...aDraft(importId), ...of });
    await open().discard(of);
  }

  it('should refuse a case variant of an imported id until the import is withdrawn', async () => {
    const variant = { ...subject, id: 'ds-1' };
    expect(await open().findCaseVariant(subject)).toBeNull();
    await published('IMPORT-1');
    const commit = await open().findCommit(subject);
    expect((await open().commits('dataset')).caseVariantOf('ds-1')).toBe('DS-1');
    expect(await open().findCaseVariant(variant)).toEqual({ path: 'data/raw/DS-1/', commit });
    expect([await open().findCaseVariant(subject), await open().findCommit(variant)]).toEqual([null, null]);
    await expect(published('IMPORT-2', variant)).rejects.toThrow(CaseVariantImportedError);
    await open().withdraw(subject, 'IMPORT-1', 'W1');
    expect(await open().findCaseVariant(variant)).toBeNull();
    await published('IMPORT-3', variant);
    const heads = await open().commits('dataset');
    expect([[...heads.bySubject.keys()], heads.caseVariantOf('DS-1'), heads.caseVariantOf('ds-1')]).toEqual([
      ['ds-1'],
      'ds-1',
      undefined,
    ]);
    await expect(published('IMPORT-4')).rejects.toThrow(CaseVariantImportedError);
    const collection = { kind: 'submission', id: 'DS-1' } as const;
    expect(await open().findCaseVariant(collection)).toBeNull();
  });

  it('should move a withdrawn dataset aside once and allow its next import', async () => {
    await published('IMPORT-1');
    const commit = await open().findCommit(subject);
    const withdrawn = await open().withdraw(subject, 'IMPORT-1', 'W1');
    expect(withdrawn).toEqual({ path: 'data/.withdrawn/raw/DS-1.W1/', commit });
    expect(await open().findCommit(subject)).toBeNull();
    expect((await open().commits('dataset')).bySubject.has('DS-1')).toBe(false);
    expect(await open().withdraw(subject, 'IMPORT-1', 'W1')).toEqual(withdrawn);
    await published('IMPORT-2');
    await open().withdraw(subject, 'IMPORT-1', 'W1');
    expect((await open().commits('dataset')).bySubject.get('DS-1')?.import_id).toBe('IMPORT-2');
    expect(await storedFiles(open(), subject)).toEqual(['a/b']);
  });

  it('should remove the files of one withdrawal when it is purged, and do nothing when it is purged again', async () => {
    for (const [importId, token] of [
      ['IMPORT-1', 'W1'],
      ['IMPORT-2', 'W2'],
    ] as const) {
      await published(importId);
      await open().withdraw(subject, importId, token);
    }
    await published('IMPORT-3');
    await open().purge(subject, 'W1');
    await open().purge(subject, 'W1');
    await expect(open().withdraw(subject, 'IMPORT-1', 'W1')).rejects.toThrow(NothingToWithdrawError);
    expect(await open().withdraw(subject, 'IMPORT-2', 'W2')).toMatchObject({ commit: { import_id: 'IMPORT-2' } });
    expect(await storedFiles(open(), subject)).toEqual(['a/b']);
  });

  it('should not withdraw a dataset that is not imported or that another import has published', async () => {
    await expect(open().withdraw(subject, 'IMPORT-1', 'W1')).rejects.toThrow(NothingToWithdrawError);
    await published('IMPORT-1');
    await expect(open().withdraw(subject, 'IMPORT-2', 'W1')).rejects.toThrow(NothingToWithdrawError);
    expect(await open().findCommit(subject)).not.toBeNull();
  });
}
