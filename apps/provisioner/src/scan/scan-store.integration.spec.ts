import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyOfPlace, type PlaceSummary } from '../model/place-summary.js';
import type { ScanReport } from '../source/scan-reports.js';
import { PosixRecords } from '../storage/posix/posix-records.js';
import { ScanStore } from './scan-store.js';

function aReport(id: string, minute = 0, fingerprint = 'a'): ScanReport {
  const summary: PlaceSummary = {
    ...{ files: 1, bytes: 1, modifiedAt: 0, changedAt: 0, fingerprint, rejectionKey: fingerprint, title: null },
    ...{
      checksums: [],
      problems: [],
      warnings: [],
      readyFrom: Number.POSITIVE_INFINITY,
      unchangedSince: '',
      top: String(minute),
    },
    scannedAt: new Date(minute * 60_000).toISOString(),
  };
  return { place: { kind: 'dataset', submission: 'SUB-1', id }, summary };
}

const changesOf = (...reports: ScanReport[]): Map<string, ScanReport | null> =>
  new Map(reports.map((report) => [keyOfPlace(report.place), report]));

describe(ScanStore.name, () => {
  let root: string;
  let stores: [ScanStore, ScanStore];

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'scan-store-'));
    stores = [new ScanStore(new PosixRecords(root)), new ScanStore(new PosixRecords(root))];
  });

  afterEach(() => rm(root, { recursive: true }));

  it('should show every process the places and the round that one process stored', async () => {
    const [writer, reader] = stores;
    expect([(await reader.read()).round, [...(await reader.read()).entries()]]).toEqual([null, []]);
    const reports = Array.from({ length: 3_000 }, (_, at) => aReport(`DS-${String(at)}`));
    await writer.save(changesOf(...reports));
    await writer.saveRound({ scanned_at: '2026-11-23T10:00:00.000Z', listing: 'v' });
    const scan = await reader.read();
    expect([scan.round?.listing, [...scan.entries()].length]).toEqual(['v', reports.length]);
    for (const report of reports) expect(scan.get(keyOfPlace(report.place))).toEqual(report);
    expect(scan.version).toBe((await writer.read()).version);
  });

  it('should remove a place, and keep the later walk of another process', async () => {
    const [one, other] = stores;
    await one.save(changesOf(aReport('DS-1', 2, 'late'), aReport('DS-2')));
    await other.save(changesOf(aReport('DS-1', 1, 'early')).set(keyOfPlace(aReport('DS-2').place), null));
    expect([...(await one.read()).entries()].map(([, { summary }]) => summary.fingerprint)).toEqual(['late']);
  });

  it('should change its version only when a walk finds a change', async () => {
    const [store] = stores;
    const versions: string[] = [];
    for (const report of [aReport('DS-1', 1), aReport('DS-1', 2), aReport('DS-1', 3, 'b')]) {
      await store.save(changesOf(report));
      versions.push((await store.read()).version);
    }
    expect([versions[0] === versions[1], versions[1] === versions[2]]).toEqual([true, false]);
  });
});
