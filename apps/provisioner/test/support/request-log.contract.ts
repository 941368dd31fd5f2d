import type { ImportEnding, ImportRequest } from '../../src/model/import-record.js';
import type { RequestLog } from '../../src/model/request-log.js';
import { aRequest, anEnding } from './requests.js';

/** Declares the tests that every request log must pass. */
export function itIsARequestLog(open: () => RequestLog): void {
  const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const later = '01ARZ3NDEKTSV4RRFFQ69G5FAW';
  const request = aRequest(id, 'DS-1');
  const verification = (subjectId: string, at: number): ImportRequest => {
    return { ...aRequest(`01ARZ3NDEKTSV4RRFFQ69G5G${String(at)}0`, subjectId), kind: 'verify' };
  };

  it('should open one request when many are created at the same time for a subject', async () => {
    const ids = Array.from({ length: 10 }, (_, at) => `01ARZ3NDEKTSV4RRFFQ69G5F${String(at)}0`);
    const opened = await Promise.all(ids.map((each) => open().open({ ...request, id: each })));
    expect(opened.filter((each) => each?.isNew)).toHaveLength(1);
    expect(new Set(opened.map((each) => each?.request.id)).size).toBe(1);
    expect(await open().listOpen()).toHaveLength(1);
  });

  it('should open one import and one verification each for subjects that differ by case only', async () => {
    const subjectIds = ['DS-1', 'ds-1', 'Ds-1'];
    const requests = subjectIds.map((each, at) => aRequest(`01ARZ3NDEKTSV4RRFFQ69G5F${String(at)}0`, each));
    const opened = await Promise.all(requests.map((each) => open().open(each)));
    const [current] = opened.flatMap((each) => (each?.isNew ? [each.request] : []));
    expect(opened.map((each) => each?.request)).toEqual(subjectIds.map(() => current));
    const other = current?.subject.id === 'ds-1' ? 'DS-1' : 'ds-1';
    expect(await open().findOpen('dataset', other)).toEqual(current);
    const index = await open().openRequests('dataset');
    const currentId = current?.subject.id;
    expect([[...index.bySubject.keys()], index.caseVariantOf(other)]).toEqual([[currentId], currentId]);
    expect(await open().listOpen()).toEqual([current]);
    await Promise.all(subjectIds.map((each, at) => open().open(verification(each, at))));
    expect(await open().listOpen()).toHaveLength(4);
    if (current) await open().end(anEnding(current, 'cancelled'));
    expect(await open().open(aRequest(later, other))).toMatchObject({ isNew: true });
    expect(await open().findLastFailure('dataset', other)).toBeNull();
  });

  it('should keep plans apart from imports, and open one plan for each choice of datasets', async () => {
    const planOf = (at: number, more: Partial<ImportRequest>): ImportRequest => {
      return { ...aRequest(`01ARZ3NDEKTSV4RRFFQ69G5H${String(at)}0`, 'X-1'), kind: 'plan', plans: 'dataset', ...more };
    };
    const subject = { kind: 'submission', id: 'X-1' } as const;
    const plans = [
      planOf(1, {}),
      planOf(2, { plans: 'submission', subject }),
      planOf(3, { plans: 'submission', subject, datasets: 'all' }),
      planOf(4, { plans: 'submission', subject, datasets: ['DS-1', 'DS-2'] }),
    ];
    for (const plan of plans) expect(await open().open(plan)).toEqual({ request: plan, isNew: true });
    const joined = await open().open(planOf(5, { plans: 'submission', subject, datasets: ['DS-2', 'DS-1'] }));
    expect(joined).toEqual({ request: plans[3], isNew: false });
    expect(await open().findOpen('dataset', 'X-1')).toBeNull();
    expect(await open().listOpen()).toEqual(plans);
    expect([...(await open().openRequests('plan')).bySubject.keys()].sort()).toEqual(plans.map((plan) => plan.id));
    for (const plan of plans) await open().end(anEnding(plan, 'finished'));
    expect(await open().listOpen()).toEqual([]);
    expect(await open().find(plans[1]?.id ?? '')).toMatchObject({ ending: { subject, plans: 'submission' } });
    const listed = async (list: AsyncIterable<ImportEnding>): Promise<number> => {
      const endings: ImportEnding[] = [];
      for await (const ending of list) endings.push(ending);
      return endings.length;
    };
    expect([await listed(open().listEnded(null)), await listed(open().listPlans(null))]).toEqual([0, 4]);
    await open().removePlansBefore(new Date());
    expect(await listed(open().listPlans(null))).toBe(0);
  });

  it('should record a failed withdrawal as the latest ending, unless there was nothing to withdraw', async () => {
    const withdrawal = { ...request, kind: 'withdraw', withdraws: later } as const;
    const error = { message: '', file: null };
    await open().end({ ...anEnding(withdrawal, 'failed'), error: { ...error, code: 'not_imported' } });
    expect(await open().findLastFailure('dataset', 'DS-1')).toBeNull();
    await open().end({ ...anEnding({ ...withdrawal, attempt: 2 }, 'failed'), error: { ...error, code: 'storage.io' } });
    expect(await open().findLastFailure('dataset', 'DS-1')).toMatchObject({ kind: 'withdraw', state: 'failed' });
  });

  it('should keep a withdrawal as the latest ending when the next import is cancelled, until one ends otherwise', async () => {
    const latest = async (): Promise<unknown> => (await open().findLastFailure('dataset', 'DS-1'))?.kind;
    await open().end(anEnding({ ...request, kind: 'withdraw', withdraws: later }, 'finished'));
    await open().end(anEnding(aRequest(later, 'DS-1'), 'cancelled'));
    expect(await latest()).toBe('withdraw');
    await open().end(anEnding({ ...aRequest(later, 'DS-1'), attempt: 2 }, 'failed'));
    expect(await latest()).toBe('dataset');
  });

  it('should remove a request when it is retracted', async () => {
    await open().open(request);
    await open().revoke(request);
    expect(await open().find(id)).toBeNull();
    expect(await open().listOpen()).toEqual([]);
  });

  it('should keep a retracted request when another caller shares it', async () => {
    await open().open(request);
    expect(await open().open({ ...request, id: later })).toEqual({ request, isNew: false });
    await open().revoke(request);
    expect([await open().findOpen('dataset', 'DS-1'), await open().find(later)]).toEqual([request, null]);
  });

  it('should find an import from its request to its ending', async () => {
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

  it('should keep the first ending of an attempt and leave the next attempt open', async () => {
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

  it('should not close the next import of a subject when the previous import ends again', async () => {
    await open().open(request);
    await open().end(anEnding(request, 'cancelled'));
    const next = { ...request, id: later };
    await open().open(next);
    await open().end(anEnding(request, 'finished'));
    expect(await open().listOpen()).toEqual([next]);
  });

  it('should request the stop of an import when it is cancelled or has ended', async () => {
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

  it('should show each watch of an open import, and none of an ended one', async () => {
    await open().open(request);
    expect(await open().findWatch(request)).toBeNull();
    await open().recordWatch(request);
    const first = await open().findWatch(request);
    await open().recordWatch(request);
    const second = await open().findWatch(request);
    expect(new Set([first, second, null]).size).toBe(3);
    await open().end(anEnding(request, 'finished'));
    await open().recordWatch(request);
    expect(await open().findWatch(request)).toBeNull();
  });

  it('should not stop the next attempt when the previous attempt is cancelled', async () => {
    await open().open(request);
    await open().end(anEnding(request, 'failed'));
    await open().requestCancel(request);
    const next = { ...request, attempt: 2 };
    await open().open(next);
    await open().requestCancel(request);
    expect(await open().isStopRequested(next)).toBe(false);
    expect(await open().find(id)).toMatchObject({ ending: null, cancelling: false });
  });

  it('should open the next attempt of an ended import', async () => {
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

  it('should list the newest ending first', async () => {
    await open().end(anEnding(request, 'finished'));
    await open().end(anEnding({ ...request, id: later }, 'cancelled'));
    expect(await ids(null)).toEqual([later, id]);
    expect(await ids(later)).toEqual([id]);
  });

  it('should keep the first ending of each attempt and list an import once', async () => {
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

  it('should list the current open requests and failures at every call', async () => {
    const log = open();
    expect((await log.openRequests('dataset')).bySubject.size).toBe(0);
    await log.open(request);
    const { bySubject, version } = await log.openRequests('dataset');
    expect([...bySubject]).toEqual([['DS-1', { id, kind: 'dataset', subject: request.subject }]]);
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
