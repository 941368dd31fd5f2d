import { readyFrom } from './readiness.js';

const hourMs = 3_600_000;
const walkedAt = Date.parse('2026-11-23T12:00:00.000Z');
const rules = { SOURCE_SETTLE: 60, SOURCE_READY_ONLY_MARKER: false };

/** Returns the time from which an unmarked delivery is complete. Times are in milliseconds since 1970. */
function ofUnmarked(changedAt: number, unchangedFrom: number, changes: Partial<typeof rules> = {}): number {
  const times = {
    scannedAt: new Date(walkedAt).toISOString(),
    unchangedSince: new Date(unchangedFrom).toISOString(),
  };
  return readyFrom(false, { isCompleteBag: false, changedAt, ...times }, { ...rules, ...changes });
}

describe(readyFrom.name, () => {
  it('should require two equal walks when the times of the source are recent', () => {
    expect(ofUnmarked(walkedAt - hourMs, walkedAt)).toBe(walkedAt + 60_000);
    expect(ofUnmarked(walkedAt - hourMs, walkedAt - 60_000)).toBe(walkedAt);
  });

  it('should count from the latest change when it is later than the first equal walk', () => {
    expect(ofUnmarked(walkedAt + hourMs, walkedAt - hourMs)).toBe(walkedAt + hourMs + 60_000);
  });

  it('should require one walk when the times of the source are older than a day', () => {
    expect(ofUnmarked(walkedAt - 25 * hourMs, walkedAt)).toBeLessThan(walkedAt);
  });

  it('should require no time when deliveries need not settle, and a marker when only a marker counts', () => {
    expect(ofUnmarked(walkedAt, walkedAt, { SOURCE_SETTLE: 0 })).toBe(0);
    expect(ofUnmarked(walkedAt, walkedAt, { SOURCE_READY_ONLY_MARKER: true })).toBe(Number.POSITIVE_INFINITY);
  });
});
