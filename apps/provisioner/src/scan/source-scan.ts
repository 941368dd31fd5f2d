import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { OutageLog, withTimeout } from '@rdc/http';
import { waitAtMost } from '../concurrency/wait-at-most.js';
import { keyOfPlace, type PlaceSummary } from '../model/place-summary.js';
import type { IndexedRecords } from '../model/record-index.js';
import type { SourcePlace } from '../model/source-system.js';
import { PlaceScanner } from '../source/place-scanner.js';
import type { ScanReport } from '../source/scan-reports.js';
import { PlaceWalks } from './place-walks.js';
import { ScanStore, type LastRound, type StoredScan } from './scan-store.js';
import { ScannedPlaces } from './scanned-places.js';

/** The time for which a request waits for a walk. */
export const briefMs = 500;

/** The latest known state of the source. */
export interface LatestScan {
  /** The end of the latest round over the source in ISO 8601; null before the first round. */
  readonly scannedAt: string | null;
  readonly places: Pick<ScannedPlaces, 'get' | 'values' | 'descriptionOf'>;
  /** Changes whenever a walk finds a change. Equal in all processes. */
  readonly version: string;
  /** The version of the scanned listing; empty before the first round. */
  readonly listing: string;
}

/** The inputs of a `LatestScan`. */
interface Inputs {
  readonly stored: StoredScan;
  readonly reports: readonly IndexedRecords<ScanReport>[];
  readonly unsaved: number;
}

/** The latest walks of the source, so that requests are answered without a walk, and walks because of requests. */
@Injectable()
export class SourceScan implements OnApplicationShutdown {
  private readonly outages = new OutageLog('walking the source', new Logger(SourceScan.name));
  /** The background walks of this process that are not stored yet, by `keyOfPlace`. */
  private readonly unsaved = new Map<string, ScanReport>();
  private changes = 0;
  /** The latest round by this process; null if there is none. */
  private round: LastRound | null = null;
  /** The walks because of requests. */
  private readonly walking = new Set<Promise<unknown>>();
  private merged: { readonly inputs: Inputs; readonly latest: LatestScan } | null = null;

  constructor(
    readonly scanner: PlaceScanner,
    readonly walks: PlaceWalks,
    readonly store: ScanStore,
  ) {}

  /** Waits up to five seconds for walks in progress. A place may take hours, and a source may not answer. */
  async onApplicationShutdown(): Promise<void> {
    await waitAtMost(Promise.all(this.walking));
  }

  /** Returns the latest walks of all processes. */
  async latest(): Promise<LatestScan> {
    // Reports are read first, so that a report that is moved into the stored scan in the meantime is never missing.
    const reports = await this.scanner.reports.all();
    const inputs = { reports, stored: await this.store.read(), unsaved: this.changes };
    if (this.merged && isSame(this.merged.inputs, inputs)) return this.merged.latest;
    const { stored } = inputs;
    const later = [...reports.flatMap(({ bySubject }) => [...bySubject.values()]), ...this.unsaved.values()];
    const places = ScannedPlaces.of(stored, later);
    const { scanned_at: scannedAt = null, listing = '' } = laterRound(stored.round, this.round) ?? {};
    const latest = { scannedAt, listing, places, version: `${stored.version} ${places.version}` };
    this.merged = { inputs, latest };
    return latest;
  }

  /** Returns the latest summary of a place; undefined if there is none, or if it is outdated as far as a look shows. */
  async known(place: SourcePlace): Promise<PlaceSummary | undefined> {
    const summary = (await this.latest()).places.get(keyOfPlace(place));
    return summary && (await this.isTopOf(place, summary)) ? summary : undefined;
  }

  /** Whether the top of a place is as at the walk of the summary. */
  async isTopOf(place: SourcePlace, summary: PlaceSummary): Promise<boolean> {
    return summary.top === (await this.scanner.source.topOf(place));
  }

  /**
   * Starts a walk of a place because its summary may be outdated. The walk updates the lists of every process.
   *
   * @returns the summary; undefined if the walk takes longer than half a second or fails
   */
  async scanBriefly(place: SourcePlace): Promise<PlaceSummary | undefined> {
    return withTimeout(briefMs, this.walkAndReport(place)).catch(() => undefined);
  }

  /**
   * Walks places because of a request. The walks update the lists of every process, and continue after the wait.
   *
   * @param waitMs the longest wait for the walks
   * @returns whether all places were walked
   */
  async walkAll(places: readonly SourcePlace[], waitMs: number): Promise<boolean> {
    const walks = Promise.all(places.map((place) => this.walkAndReport(place)));
    const walked = await (Number.isFinite(waitMs) ? withTimeout(waitMs, walks).catch(() => [undefined]) : walks);
    return !walked.includes(undefined);
  }

  /** Whether a place has the marker of a complete delivery now. */
  isMarked(place: SourcePlace): Promise<boolean> {
    return this.scanner.source.isMarked(place);
  }

  /** Walks a place and returns its summary. Reads its descriptors again only if the place has changed. */
  async summarise(place: SourcePlace): Promise<PlaceSummary> {
    return (await this.walks.requested(place)).summary;
  }

  /** Shows a walk of the background in `latest` until it is stored. */
  addUnsaved(report: ScanReport): void {
    this.unsaved.set(keyOfPlace(report.place), report);
    this.changes += 1;
  }

  /** Shows a round by this process in `latest`. */
  setRound(round: LastRound): void {
    this.round = round;
    this.changes += 1;
  }

  /** Returns the walks that are not stored yet. */
  get toSave(): ReadonlyMap<string, ScanReport> {
    return new Map(this.unsaved);
  }

  /** Removes walks that have been stored. */
  dropSaved(saved: ReadonlyMap<string, ScanReport>): void {
    if (saved.size === 0) return;
    for (const [key, report] of saved) if (this.unsaved.get(key) === report) this.unsaved.delete(key);
    this.changes += 1;
  }

  private walkAndReport(place: SourcePlace): Promise<PlaceSummary | undefined> {
    const walk = this.walks
      .requested(place)
      .then(async (report) => {
        await this.scanner.reports.record(report);
        return report.summary;
      })
      .catch((error: unknown) => {
        this.outages.failed(error);
        return undefined;
      })
      .finally(() => this.walking.delete(walk));
    this.walking.add(walk);
    return walk;
  }
}

function laterRound(one: LastRound | null, other: LastRound | null): LastRound | null {
  if (!one || !other) return one ?? other;
  return one.scanned_at < other.scanned_at ? other : one;
}

function isSame(one: Inputs, other: Inputs): boolean {
  const { stored, unsaved, reports } = other;
  return one.stored === stored && one.unsaved === unsaved && reports.every((each, at) => each === one.reports[at]);
}
