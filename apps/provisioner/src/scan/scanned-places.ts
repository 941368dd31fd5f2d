import { hash } from 'node:crypto';
import { keyOfPlace, type PlaceSummary } from '../model/place-summary.js';
import type { SubmissionDescription } from '../model/source-system.js';
import type { ScanReport } from '../source/scan-reports.js';
import { stateOf, type StoredScan } from './scan-store.js';

/** The latest walks of all places: those that are stored, and later ones. */
export class ScannedPlaces {
  private constructor(
    private readonly stored: Pick<StoredScan, 'get' | 'entries'>,
    private readonly later: ReadonlyMap<string, ScanReport>,
    /** A digest of the later walks whose results differ from the stored ones; empty if none differs. */
    readonly version: string,
  ) {}

  /** Returns the stored walks, and of the given ones those that are later. */
  static of(stored: Pick<StoredScan, 'get' | 'entries'>, reports: Iterable<ScanReport>): ScannedPlaces {
    const later = new Map<string, ScanReport>();
    for (const report of reports) {
      const key = keyOfPlace(report.place);
      const known = later.get(key) ?? stored.get(key);
      if (known && known.summary.scannedAt >= report.summary.scannedAt) continue;
      later.set(key, { description: known?.description, ...report });
    }
    const differing = [...later].flatMap(([key, report]) => {
      const [known, state] = [stored.get(key), stateOf(report)];
      return known && stateOf(known) === state ? [] : state;
    });
    const version = differing.length === 0 ? '' : hash('sha256', differing.sort().join('\n'), 'base64url');
    return new ScannedPlaces(stored, later, version);
  }

  /** @param key see `keyOfPlace` */
  get(key: string): PlaceSummary | undefined {
    return (this.later.get(key) ?? this.stored.get(key))?.summary;
  }

  /** Returns the description of a submission; undefined if it was not scanned. */
  descriptionOf(reference: string): SubmissionDescription | null | undefined {
    const key = keyOfPlace({ kind: 'submission', submission: reference, id: reference });
    return (this.later.get(key) ?? this.stored.get(key))?.description;
  }

  *values(): Generator<PlaceSummary> {
    for (const [key, { summary }] of this.stored.entries()) if (!this.later.has(key)) yield summary;
    for (const { summary } of this.later.values()) yield summary;
  }
}
