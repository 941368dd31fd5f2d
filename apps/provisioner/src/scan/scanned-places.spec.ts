import { hasChangedSince, type PlaceSummary } from '../model/place-summary.js';
import { IndexedRecords } from '../model/record-index.js';
import type { ScanReport } from '../source/scan-reports.js';
import { ScannedPlaces } from './scanned-places.js';

const place = { kind: 'dataset', submission: 'SUB-1', id: 'DS-1' } as const;
const key = 'dataset/SUB-1/DS-1';

function aSummary(minute: number, fingerprint: string): PlaceSummary {
  return {
    ...{ files: 1, bytes: 1, modifiedAt: 0, fingerprint, rejectionKey: fingerprint, title: null },
    ...{ checksums: [], problems: [], warnings: [], readyFrom: 0, top: String(minute) },
    scannedAt: `2026-11-23T10:0${String(minute)}:00.000Z`,
  };
}

describe(ScannedPlaces.name, () => {
  const merge = (scanned: PlaceSummary | null, reported: PlaceSummary): ScannedPlaces =>
    ScannedPlaces.of(new Map(scanned ? [[key, scanned]] : []), [
      new IndexedRecords<ScanReport>(new Map([['SUB-1/DS-1', { place, summary: reported }]]), 'v'),
    ]);

  it('should contain the later of a scan and a report once', () => {
    const [early, late] = [aSummary(1, 'a'), aSummary(2, 'b')];
    for (const places of [merge(early, late), merge(late, early), merge(null, late)]) {
      expect([places.get(key), [...places.values()]]).toEqual([late, [late]]);
    }
  });

  it('should change its version only when a later report differs from the scan', () => {
    expect(merge(aSummary(1, 'a'), aSummary(2, 'a')).version).toBe('');
    expect(merge(aSummary(2, 'a'), aSummary(1, 'b')).version).toBe('');
    const changed = merge(aSummary(1, 'a'), aSummary(2, 'b')).version;
    expect([changed === '', changed === merge(aSummary(1, 'a'), aSummary(2, 'c')).version]).toEqual([false, false]);
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
