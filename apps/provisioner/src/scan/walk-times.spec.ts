import type { CommitHead } from '../model/commit.js';
import type { PlaceSummary } from '../model/place-summary.js';
import { dueAt } from './walk-times.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const walkedAt = Date.parse('2026-11-23T10:00:00.000Z');
const intervals = { recheckMs: 7 * dayMs, leastMs: minuteMs, startedAt: walkedAt - 30 * dayMs };

function aSummary(changes: Partial<PlaceSummary> = {}): PlaceSummary {
  return { scannedAt: new Date(walkedAt).toISOString(), changedAt: walkedAt, readyFrom: 0, ...changes } as PlaceSummary;
}

const aCommit = (importedAt: number): CommitHead =>
  ({ imported_at: new Date(importedAt).toISOString() }) as unknown as CommitHead;

describe(dueAt.name, () => {
  const ofDelivery = (summary?: PlaceSummary): number => dueAt({ key: 'a', summary, commit: undefined }, intervals);
  const ofImport = (key: string, summary?: PlaceSummary, recheckMs = intervals.recheckMs): number =>
    dueAt({ key, summary, commit: aCommit(walkedAt) }, { ...intervals, recheckMs });

  it('should return the past when a delivery was not walked', () => {
    expect(ofDelivery()).toBe(0);
  });

  it('should return the time of settling when the delivery may still change', () => {
    expect(ofDelivery(aSummary({ readyFrom: walkedAt + hourMs }))).toBe(walkedAt + hourMs);
    expect(ofDelivery(aSummary({ readyFrom: walkedAt + 1 }))).toBe(walkedAt + minuteMs);
  });

  it.each([
    ['just now', 0, minuteMs],
    ['an hour before', hourMs, hourMs / 2],
    ['a week before', 7 * dayMs, dayMs],
    ['after the walk, by another clock', -hourMs, minuteMs],
  ])('should return a later time the longer the delivery is unchanged, when it changed %s', (_, ageMs, pauseMs) => {
    for (const readyFrom of [0, Number.POSITIVE_INFINITY])
      expect(ofDelivery(aSummary({ changedAt: walkedAt - ageMs, readyFrom }))).toBe(walkedAt + pauseMs);
  });

  it('should return a time within the interval after the walk or the import when the place is imported', () => {
    for (const summary of [undefined, aSummary()]) {
      const due = ofImport('dataset/SUB-1/DS-1', summary);
      expect(due).toBeGreaterThan(walkedAt);
      expect(due).toBeLessThanOrEqual(walkedAt + intervals.recheckMs);
      const again = aSummary({ scannedAt: new Date(Math.ceil(due)).toISOString() });
      expect(ofImport('dataset/SUB-1/DS-1', again)).toBeCloseTo(due + intervals.recheckMs, -1);
    }
  });

  it('should count from the start of the process when a place was imported long before and has no summary', () => {
    const commit = aCommit(walkedAt - 365 * dayMs);
    const due = dueAt({ key: 'a', summary: undefined, commit }, { ...intervals, startedAt: walkedAt });
    expect([due > walkedAt, due <= walkedAt + intervals.recheckMs]).toEqual([true, true]);
  });

  it('should spread the walks of places that were imported together over the interval', () => {
    const days = new Array<number>(7).fill(0);
    for (let at = 0; at < 7_000; at += 1) {
      const day = Math.floor((ofImport(`dataset/SUB-1/DS-${String(at)}`) - walkedAt) / dayMs);
      days[Math.min(day, 6)] = (days[Math.min(day, 6)] ?? 0) + 1;
    }
    for (const count of days) expect(Math.abs(count - 1_000)).toBeLessThan(200);
  });

  it('should return infinity when imported places are never walked again', () => {
    expect(ofImport('a', aSummary(), 0)).toBe(Number.POSITIVE_INFINITY);
  });
});
