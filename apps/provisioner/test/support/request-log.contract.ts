import type { ImportRequest } from '../../src/model/import-record.js';
import type { RequestLog } from '../../src/model/request-log.js';
import { aRequest, anEnding } from './requests.js';

/** What every request log must do. */
export function itIsARequestLog(open: () => RequestLog): void {
  const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const later = '01ARZ3NDEKTSV4RRFFQ69G5FAW';
  const request = aRequest(id, 'DS-1');
  const verification = (at: number): ImportRequest => {
    return { ...request, kind: 'verify', id: `01ARZ3NDEKTSV4RRFFQ69G5G${String(at)}0` };
  };

  it('should open one request for a subject, however many are made at once', async () => {
    const ids = Array.from({ length: 10 }, (_, at) => `01ARZ3NDEKTSV4RRFFQ69G5F${String(at)}0`);
    const opened = await Promise.all(ids.map((each) => open().open({ ...request, id: each })));
    expect(opened.filter((each) => each?.isNew)).toHaveLength(1);
    expect(new Set(opened.map((each) => each?.request.id)).size).toBe(1);
    expect(await open().listOpen()).toHaveLength(1);
  });

  it('should open one request for subjects that differ by case only, and verify each', async () => {
    const subjects = ['DS-1', 'ds-1', 'Ds-1'];
    const asked = subjects.map((each, at) => ({
      ...request,
      subject: each,
      id: `01ARZ3NDEKTSV4RRFFQ69G5F${String(at)}0`,
    }));
    const opened = await Promise.all(asked.map((each) => open().open(each)));
    const [standing] = opened.flatMap((each) => (each?.isNew ? [each.request] : []));
    expect(opened.map((each) => each?.request)).toEqual(subjects.map(() => standing));
    const other = standing?.subject === 'ds-1' ? 'DS-1' : 'ds-1';
    expect(await open().findOpen('dataset', other)).toEqual(standing);
    const requests = await open().openRequests('dataset');
    expect([[...requests.bySubject.keys()], requests.caseVariantOf(other)]).toEqual([[standing?.subject], standing?.subject]);
    expect(await open().listOpen()).toEqual([standing]);
    await Promise.all(subjects.map((each, at) => open().open({ ...verification(at), subject: each })));
    expect(await open().listOpen()).toHaveLength(4);
    if (standing) await open().end(anEnding(standing, 'cancelled'));
    expect(await open().open({ ...request, id: later, subject: other })).toMatchObject({ isNew: true });
    expect(await open().findLastFailure('dataset', other)).toBeNull();
  });

  it('should keep as the latest that a withdrawal failed, unless there was nothing to withdraw', async () => {
    const withdrawal = { ...request, kind: 'withdraw', withdraws: later } as const;
    const error = { message: '', file: null };
    await open().end({ ...anEnding(withdrawal, 'failed'), error: { ...error, code: 'not_imported' } });
    expect(await open().findLastFailure('dataset', 'DS-1')).toBeNull();
    await open().end({ ...anEnding({ ...withdrawal, attempt: 2 }, 'failed'), error: { ...error, code: 'storage.io' } });
    expect(await open().findLastFailure('dataset', 'DS-1')).toMatchObject({ kind: 'withdraw', state: 'failed' });
  });

  it('should forget a request that was withdrawn', async () => {
    await open().open(request);
    await open().revoke(request);
    expect(await open().find(id)).toBeNull();
    expect(await open().listOpen()).toEqual([]);
  });

  it('should keep a request that is withdrawn once another caller was given it', async () => {
    await open().open(request);
    expect(await open().open({ ...request, id: later })).toEqual({ request, isNew: false });
    await open().revoke(request);
    expect([await open().findOpen('dataset', 'DS-1'), await open().find(later)]).toEqual([request, null]);
  });

  it('should know an import from its request to its ending, and close it once', async () => {
    await open().open(request);
    expect(await open().find(id)).toMatchObject({ ending: null, status: null, cancelling: false });
    await open().requestCancel(request);
    await open().requestCancel(request);
    expect(await open().find(id)).toMatchObject({ cancelling: true });
    await open().end(anEnding(request, 'failed'));
    await open().end(anEnding(request, 'failed'));
    expect(await open().find(id)).toMatchObject({ ending: { state: 'failed' } });
    expect(await open().findOpen('dataset', 'DS-1')).toBeNull();
    expect(await open().findLastFailure('dataset', 'DS-1')).toMatchObject({ id, state: 'failed' });
  });

  it('should keep the first word on how an attempt ended, and close no later attempt with a late one', async () => {
    await open().open(request);
    await open().end(anEnding(request, 'failed'));
    await open().end(anEnding(request, 'cancelled'));
    expect(await open().find(id)).toMatchObject({ ending: { state: 'failed' } });
    const next = { ...request, attempt: 2 };
    await open().open(next);
    await open().end(anEnding(request, 'cancelled'));
    expect(await open().find(id)).toMatchObject({ ending: null, request: { attempt: 2 } });
    expect(await open().findOpen('dataset', 'DS-1')).toEqual(next);
  });

  it('should not close the next import of a subject with a late word on the one before', async () => {
    await open().open(request);
    await open().end(anEnding(request, 'cancelled'));
    const next = { ...request, id: later };
    await open().open(next);
    await open().end(anEnding(request, 'finished'));
    expect(await open().listOpen()).toEqual([next]);
  });

  it('should tell whoever runs an import to stop when it is cancelled, or has ended without them', async () => {
    await open().open(request);
    expect(await open().isStopRequested(request)).toBe(false);
    await open().requestCancel(request);
    expect(await open().isStopRequested(request)).toBe(true);
    await open().end(anEnding(request, 'cancelled'));
    expect(await open().isStopRequested(request)).toBe(true);
    const next = { ...request, attempt: 2 };
    await open().open(next);
    expect(await open().isStopRequested(request)).toBe(true);
    expect(await open().isStopRequested(next)).toBe(false);
  });

  it('should not let a cancellation that comes too late stop the next attempt', async () => {
    await open().open(request);
    await open().end(anEnding(request, 'failed'));
    await open().requestCancel(request);
    const next = { ...request, attempt: 2 };
    await open().open(next);
    await open().requestCancel(request);
    expect(await open().isStopRequested(next)).toBe(false);
    expect(await open().find(id)).toMatchObject({ ending: null, cancelling: false });
  });

  it('should open an ended import again as its next attempt', async () => {
    await open().open(request);
    await open().end(anEnding(request, 'failed'));
    const next = { ...request, attempt: 2 };
    expect(await open().open(next)).toEqual({ request: next, isNew: true });
    expect(await open().find(id)).toMatchObject({ ending: null, request: { attempt: 2 } });
    expect(await open().listOpen()).toHaveLength(1);
    await open().end(anEnding(next, 'finished'));
    expect(await open().findLastFailure('dataset', 'DS-1')).toBeNull();
  });

  it('should not open an attempt that has ended', async () => {
    await open().open(request);
    await open().end(anEnding(request, 'failed'));
    expect(await open().open(request)).toBeNull();
    expect([await open().listOpen(), await open().findOpen('dataset', 'DS-1')]).toEqual([[], null]);
  });

  it('should list endings, the newest first', async () => {
    await open().end(anEnding(request, 'finished'));
    await open().end(anEnding({ ...request, id: later }, 'cancelled'));
    expect(await ids(null)).toEqual([later, id]);
    expect(await ids(later)).toEqual([id]);
  });

  it('should keep the ending of every attempt as it was written first, and list an import once', async () => {
    const second = { ...request, attempt: 2 };
    await open().end(anEnding(request, 'failed'));
    await open().end(anEnding(second, 'finished'));
    await open().end(anEnding(request, 'cancelled'));
    await open().end(anEnding(second, 'failed'));
    expect(await open().find(id)).toMatchObject({ ending: { attempt: 2, state: 'finished' } });
    expect(await open().findLastFailure('dataset', 'DS-1')).toBeNull();
    const listed: unknown[] = [];
    for await (const { attempt, state } of open().listEnded(null)) listed.push({ attempt, state });
    expect(listed).toEqual([{ attempt: 2, state: 'finished' }]);
  });

  it('should show what is open, and what ended without success, as it is at every call', async () => {
    const log = open();
    expect((await log.openRequests('dataset')).bySubject.size).toBe(0);
    await log.open(request);
    const { bySubject, version } = await log.openRequests('dataset');
    expect([...bySubject]).toEqual([['DS-1', { id, kind: 'dataset', subject: 'DS-1' }]]);
    await log.end(anEnding(request, 'rejected'));
    expect((await log.openRequests('dataset')).bySubject.size).toBe(0);
    expect((await log.openRequests('dataset')).version).not.toBe(version);
    expect((await log.lastFailures('dataset')).bySubject.get('DS-1')).toMatchObject({ id, state: 'rejected' });
    await log.open({ ...request, id: later });
    expect((await log.openRequests('dataset')).bySubject.get('DS-1')).toMatchObject({ id: later });
    await log.end(anEnding({ ...request, id: later }, 'failed'));
    expect((await log.lastFailures('dataset')).bySubject.get('DS-1')).toMatchObject({ id: later, state: 'failed' });
  });

  async function ids(before: string | null): Promise<string[]> {
    const found: string[] = [];
    for await (const each of open().listEnded(before)) found.push(each.id);
    return found;
  }
}
