import { Readable } from 'node:stream';
import type { RequestLog } from '../../src/imports/request-log.js';
import { noProgress, type ImportEnding, type ImportRequest } from '../../src/imports/import-record.js';
import { thisAgent } from '../../src/software-agent.js';
import { headOf, type CommitDraft } from '../../src/storage/commit.js';
import type { Attempt, Storage } from '../../src/storage/storage.js';
import { NothingToWithdrawError, SupersededError } from '../../src/storage/storage-failure.js';

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
  await attempt.write({ path: aFile.path, size: aFile.size, mtimeNs: BigInt(aFile.mtime_ns) }, content);
}

/**
 * What every storage must do.
 *
 * @param open the storage of the running test
 */
export function itIsAStorage(open: () => Storage): void {
  async function filled(token: string): Promise<Attempt> {
    const attempt = await open().openAttempt(subject, token, 'sha256:1');
    await writeAFile(attempt);
    await attempt.noteFinished(aBatch, [aFile.sha256]);
    return attempt;
  }

  it('should pass its own probe', async () => {
    await open().probe();
    expect((await open().freeSpace()).bytes).toBeGreaterThan(0);
  });

  it('should hold nothing until an attempt is published, and then all of it', async () => {
    const attempt = await filled('T1');
    expect(await open().findCommit(subject)).toBeNull();
    await attempt.list([aFolder, aFile]);
    const commit = await attempt.publish(aDraft());
    expect(await open().findCommit(subject)).toEqual(commit);
    expect((await open().commits('dataset')).byId.get('DS-1')).toEqual(headOf(commit));
    expect(await open().filesOf(subject)).toEqual(['a/b']);
    const [lines, manifest] = await Promise.all([text('ndjson'), text('sha256sum')]);
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([aFolder, aFile]);
    expect(manifest).toBe(`${aFile.sha256}  a/b\n`);
  });

  it('should publish once: a second attempt of the same import finds what the first made', async () => {
    const first = await filled('T1');
    await first.list([aFolder, aFile]);
    const commit = await first.publish(aDraft());
    const second = await filled('T2');
    await second.list([aFolder, aFile]);
    expect(await second.publish(aDraft())).toEqual(commit);
    await open().discard(subject);
  });

  it('should let a later attempt take over, and the earlier one do no more', async () => {
    const earlier = await filled('T1');
    const later = await open().openAttempt(subject, 'T2', 'sha256:1');
    expect(await later.finished({ ...aBatch, key: 'batch-2' })).toBeNull();
    expect(await later.finished(aBatch)).toEqual([aFile.sha256]);
    await expect(earlier.noteFinished(aBatch, [aFile.sha256])).rejects.toThrow(SupersededError);
    await expect(earlier.list([aFile])).rejects.toThrow(SupersededError);
    await expect(earlier.publish(aDraft())).rejects.toThrow(SupersededError);
    await later.list([aFolder, aFile]);
    await later.publish(aDraft());
  });

  it('should throw away what was copied from another state of the source', async () => {
    await filled('T1');
    const later = await open().openAttempt(subject, 'T2', 'sha256:2');
    expect(await later.finished(aBatch)).toBeNull();
  });

  it('should leave nothing of a discarded subject, and bear with discarding twice', async () => {
    await filled('T1');
    await open().discard(subject);
    await open().discard(subject);
    expect(await (await open().openAttempt(subject, 'T2', 'sha256:1')).finished(aBatch)).toBeNull();
  });

  async function text(form: 'ndjson' | 'sha256sum'): Promise<string> {
    const chunks = await open().openList(subject, form).toArray();
    return Buffer.concat(chunks as Buffer[]).toString();
  }
}

/** What every storage must do with what is withdrawn. */
export function itWithdraws(open: () => Storage): void {
  async function published(importId: string): Promise<void> {
    const attempt = await open().openAttempt(subject, importId, 'sha256:1');
    await writeAFile(attempt);
    await attempt.noteFinished(aBatch, [aFile.sha256]);
    await attempt.list([aFolder, aFile]);
    await attempt.publish(aDraft(importId));
    await open().discard(subject);
  }

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
    expect(await open().filesOf(subject)).toEqual(['a/b']);
  });

  it('should not withdraw what another import has made, nor what is not there', async () => {
    await expect(open().withdraw(subject, 'IMPORT-1', 'W1')).rejects.toThrow(NothingToWithdrawError);
    await published('IMPORT-1');
    await expect(open().withdraw(subject, 'IMPORT-2', 'W1')).rejects.toThrow(NothingToWithdrawError);
    expect(await open().findCommit(subject)).not.toBeNull();
  });
}

/** What every request log must do. */
export function itIsARequestLog(open: () => RequestLog): void {
  const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const later = '01ARZ3NDEKTSV4RRFFQ69G5FAW';
  const request: ImportRequest = {
    id,
    kind: 'dataset',
    subject: 'DS-1',
    attempt: 1,
    requested_by: 'test',
    requested_at: new Date().toISOString(),
    requested_from: '127.0.0.1',
    accepted_by: thisAgent,
  };
  const ending = (of: ImportRequest, state: ImportEnding['state']): ImportEnding => ({
    ...of,
    state,
    started_at: null,
    finished_at: new Date().toISOString(),
    progress: noProgress,
    result: null,
    error: null,
    files: [],
    fingerprint: null,
    agent: thisAgent,
  });

  it('should open one request for a subject, however many are made at once', async () => {
    const ids = Array.from({ length: 10 }, (_, at) => `01ARZ3NDEKTSV4RRFFQ69G5F${String(at)}0`);
    const opened = await Promise.all(ids.map((each) => open().open({ ...request, id: each })));
    expect(opened.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(opened.map((each) => each.request.id)).size).toBe(1);
    expect(await open().listOpen()).toHaveLength(1);
  });

  it('should forget a request that was withdrawn', async () => {
    await open().open(request);
    await open().withdraw(request);
    expect(await open().find(id)).toBeNull();
    expect(await open().listOpen()).toEqual([]);
  });

  it('should know an import from its request to its ending, and close it once', async () => {
    await open().open(request);
    expect(await open().find(id)).toMatchObject({ ending: null, status: null, cancelling: false });
    await open().requestCancel(request);
    await open().requestCancel(request);
    expect(await open().find(id)).toMatchObject({ cancelling: true });
    await open().end(ending(request, 'failed'));
    await open().end(ending(request, 'failed'));
    expect(await open().find(id)).toMatchObject({ ending: { state: 'failed' } });
    expect(await open().findOpen('dataset', 'DS-1')).toBeNull();
    expect(await open().findLastFailure('dataset', 'DS-1')).toMatchObject({ id, state: 'failed' });
  });

  it('should keep the first word on how an attempt ended, and close no later attempt with a late one', async () => {
    await open().open(request);
    await open().end(ending(request, 'failed'));
    await open().end(ending(request, 'cancelled'));
    expect(await open().find(id)).toMatchObject({ ending: { state: 'failed' } });
    const next = { ...request, attempt: 2 };
    await open().open(next);
    await open().end(ending(request, 'cancelled'));
    expect(await open().find(id)).toMatchObject({ ending: null, request: { attempt: 2 } });
    expect(await open().findOpen('dataset', 'DS-1')).toEqual(next);
  });

  it('should tell whoever runs an import to stop when it is cancelled, or has ended without them', async () => {
    await open().open(request);
    expect(await open().isStopRequested(request)).toBe(false);
    await open().requestCancel(request);
    expect(await open().isStopRequested(request)).toBe(true);
    await open().end(ending(request, 'cancelled'));
    expect(await open().isStopRequested(request)).toBe(true);
    const next = { ...request, attempt: 2 };
    await open().open(next);
    expect(await open().isStopRequested(request)).toBe(true);
    expect(await open().isStopRequested(next)).toBe(false);
  });

  it('should open an ended import again as its next attempt', async () => {
    await open().open(request);
    await open().end(ending(request, 'failed'));
    const next = { ...request, attempt: 2 };
    expect(await open().open(next)).toEqual({ request: next, isNew: true });
    expect(await open().find(id)).toMatchObject({ ending: null, request: { attempt: 2 } });
    expect(await open().listOpen()).toHaveLength(1);
    await open().end(ending(next, 'finished'));
    expect(await open().findLastFailure('dataset', 'DS-1')).toBeNull();
  });

  it('should list endings, the newest first', async () => {
    await open().end(ending(request, 'finished'));
    await open().end(ending({ ...request, id: later }, 'cancelled'));
    expect(await ids(null)).toEqual([later, id]);
    expect(await ids(later)).toEqual([id]);
  });

  it('should keep the ending of every attempt as it was written first, and list an import once', async () => {
    const second = { ...request, attempt: 2 };
    await open().end(ending(request, 'failed'));
    await open().end(ending(second, 'finished'));
    await open().end(ending(request, 'cancelled'));
    await open().end(ending(second, 'failed'));
    expect(await open().find(id)).toMatchObject({ ending: { attempt: 2, state: 'finished' } });
    expect(await open().findLastFailure('dataset', 'DS-1')).toBeNull();
    const listed: unknown[] = [];
    for await (const { attempt, state } of open().listEnded(null)) listed.push({ attempt, state });
    expect(listed).toEqual([{ attempt: 2, state: 'finished' }]);
  });

  it('should show what is open, and what ended without success, as it is at every call', async () => {
    const log = open();
    expect((await log.openRequests('dataset')).byName.size).toBe(0);
    await log.open(request);
    const { byName, version } = await log.openRequests('dataset');
    expect([...byName]).toEqual([['DS-1', { id, kind: 'dataset' }]]);
    await log.end(ending(request, 'rejected'));
    expect((await log.openRequests('dataset')).byName.size).toBe(0);
    expect((await log.openRequests('dataset')).version).not.toBe(version);
    expect((await log.lastFailures('dataset')).byName.get('DS-1')).toMatchObject({ id, state: 'rejected' });
    await log.open({ ...request, id: later });
    expect((await log.openRequests('dataset')).byName.get('DS-1')).toEqual({ id: later, kind: 'dataset' });
    await log.end(ending({ ...request, id: later }, 'failed'));
    expect((await log.lastFailures('dataset')).byName.get('DS-1')).toMatchObject({ id: later, state: 'failed' });
  });

  async function ids(before: string | null): Promise<string[]> {
    const found: string[] = [];
    for await (const each of open().listEnded(before)) found.push(each.id);
    return found;
  }
}
