import { hash } from 'node:crypto';
import { keyOfPlace, type PlaceSummary } from '../model/place-summary.js';
import type { IndexedRecords } from '../model/record-index.js';
import type { ScanReport } from '../source/scan-reports.js';

/** The latest summaries of all places: those of a scan, and later ones that workers reported. */
export class ScannedPlaces {
  private constructor(
    private readonly scanned: ReadonlyMap<string, PlaceSummary>,
    private readonly reported: ReadonlyMap<string, PlaceSummary>,
    /** A digest of the reports that differ from the scan; empty if none differs. */
    readonly version: string,
  ) {}

  /** Returns the summaries of a scan and of all reports that are later. */
  static of(scanned: ReadonlyMap<string, PlaceSummary>, reports: readonly IndexedRecords<ScanReport>[]): ScannedPlaces {
    const later = new Map<string, PlaceSummary>();
    const differing: string[] = [];
    for (const { place, summary } of reports.flatMap(({ bySubject }) => [...bySubject.values()])) {
      const key = keyOfPlace(place);
      const own = scanned.get(key);
      if (own && own.scannedAt >= summary.scannedAt) continue;
      later.set(key, summary);
      const state = stateOf(key, summary);
      if (!own || state !== stateOf(key, own)) differing.push(state);
    }
    const version = differing.length === 0 ? '' : hash('sha256', differing.sort().join('\n'), 'base64url');
    return new ScannedPlaces(scanned, later, version);
  }

  /** @param key see `keyOfPlace` */
  get(key: string): PlaceSummary | undefined {
    return this.reported.get(key) ?? this.scanned.get(key);
  }

  *values(): Generator<PlaceSummary> {
    for (const [key, summary] of this.scanned) if (!this.reported.has(key)) yield summary;
    yield* this.reported.values();
  }
}

/** Returns a text that changes with the summary of a place, but not with a repeated scan of an unchanged place. */
export function stateOf(key: string, summary: PlaceSummary): string {
  return JSON.stringify([key, { ...summary, scannedAt: undefined, top: undefined }]);
}
