import { hasChangedSince, keyOfPlace, type PlaceSummary } from '../model/place-summary.js';
import type { ScanReport } from '../source/scan-reports.js';
import { ScannedPlaces } from './scanned-places.js';

const place = { kind: 'dataset', submission: 'SUB-1', id: 'DS-1' } as const;
const key = keyOfPlace(place);

function aSummary(minute: number, fingerprint: string): PlaceSummary {
  return {
    ...{ files: 1, bytes: 1, modifiedAt: 0, changedAt: 0, fingerprint, rejectionKey: fingerprint, title: null },
    ...{ checksums: [], problems: [], warnings: [], readyFrom: 0, unchangedSince: '', top: String(minute) },
    scannedAt: `2026-11-23T10:0${String(minute)}:00.000Z`,
  };
}

describe(ScannedPlaces.name, () => {
  const merge = (stored: PlaceSummary | null, ...later: PlaceSummary[]): ScannedPlaces => {
    const scanned = new Map<string, ScanReport>(stored ? [[key, { place, summary: stored }]] : []);
    const reports = later.map((summary) => ({ place, summary }));
    return ScannedPlaces.of({ get: (each) => scanned.get(each), entries: () => scanned.entries() }, reports);
  };

  it('should contain the latest of the stored and the later walks once', () => {
    const [early, late] = [aSummary(1, 'a'), aSummary(2, 'b')];
    for (const places of [merge(early, late), merge(late, early), merge(null, late), merge(null, late, early)]) {
      expect([places.get(key), [...places.values()]]).toEqual([late, [late]]);
    }
  });

  it('should change its version only when a later walk differs from the stored one', () => {
    expect(merge(aSummary(1, 'a'), aSummary(2, 'a')).version).toBe('');
    expect(merge(aSummary(2, 'a'), aSummary(1, 'b')).version).toBe('');
    const changed = merge(aSummary(1, 'a'), aSummary(2, 'b')).version;
    expect([changed === '', changed === merge(aSummary(1, 'a'), aSummary(2, 'c')).version]).toEqual([false, false]);
  });

  it('should keep the stored description when a later walk has none', () => {
    const documents = { kind: 'submission', submission: 'SUB-1', id: 'SUB-1' } as const;
    const description = { title: 'One', submitter: null, submitted_at: null, description: null, project: null };
    const stored = { place: documents, summary: aSummary(1, 'a'), description };
    const reading = { get: () => stored, entries: () => new Map([[keyOfPlace(documents), stored]]).entries() };
    const places = ScannedPlaces.of(reading, [{ place: documents, summary: aSummary(2, 'b') }]);
    expect(places.descriptionOf('SUB-1')).toEqual(description);
  });
});

describe(hasChangedSince.name, () => {
  const commit = { imported_at: aSummary(2, '').scannedAt, fingerprint: 'a' };

  it.each([
    ['a later walk found another state', aSummary(3, 'b'), true],
    ['a later walk found the same state', aSummary(3, 'a'), false],
    ['the walk began before the import', aSummary(1, 'b'), false],
    ['the place was not walked', undefined, false],
  ])('should return whether the dataset has changed when %s', (_, summary, expected) => {
    expect(hasChangedSince(commit, summary)).toBe(expected);
  });
});
