import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { OutageLog, PeriodicTask, TimeSlice, withTimeout } from '@rdc/http';
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Semaphore } from '../concurrency/semaphore.js';
import { waitAtMost } from '../concurrency/wait-at-most.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { isIdentifier } from '../model/identifier.js';
import { keyOfPlace, type PlaceSummary } from '../model/place-summary.js';
import type { DeclaredSummary, SummarisedPlace } from '../source/place-summary.js';
import { collectionOf, SourceIndex } from '../source/source-index.js';
import { PlaceScanner } from '../source/place-scanner.js';
import type { SourcePlace, SubmissionDescription } from '../model/source-system.js';
import type { IndexedRecords } from '../model/record-index.js';
import type { ScanReport } from '../source/scan-reports.js';
import { ScannedPlaces, stateOf } from './scanned-places.js';

/** Number of places that are walked concurrently. The declared file list of each is in memory during its walk. */
const concurrentWalks = 8;

/** The time for which `scanBriefly` waits. */
const briefMs = 500;

/** The time after which the reports of workers are removed. It is longer than a scan usually takes in any process. */
const reportMs = 60 * 60_000;

/** The result of a scan of the whole source. */
export interface SourceScanResult {
  /** The end of the scan in ISO 8601; null before the first scan. */
  readonly scannedAt: string | null;
  /** The summaries by `keyOfPlace`. */
  readonly places: ReadonlyMap<string, PlaceSummary>;
  readonly descriptions: ReadonlyMap<string, SubmissionDescription | null>;
  /** Changes whenever a scan finds a change. Equal in all processes that found the same state. */
  readonly version: string;
  /** The version of the scanned listing. */
  readonly listing: string;
}

/** The latest known state of the source. */
export interface LatestScan extends Omit<SourceScanResult, 'places'> {
  readonly places: Pick<ScannedPlaces, 'get' | 'values'>;
}

/** Scans the source periodically, so that requests are answered without a walk. */
@Injectable()
export class SourceScan implements OnApplicationShutdown {
  private readonly outages = new OutageLog('scanning the source', new Logger(SourceScan.name));
  private current: SourceScanResult = {
    scannedAt: null,
    places: new Map(),
    descriptions: new Map(),
    version: '',
    listing: '',
  };
  /** The summaries of the descriptors when they were last read, by `keyOfPlace`. */
  private declared: Map<string, DeclaredSummary> = new Map();
  private readonly walks = new Semaphore(concurrentWalks);
  /** The walks that `scanBriefly` started, by `keyOfPlace`. */
  private readonly soon = new Map<string, Promise<PlaceSummary | undefined>>();
  /** The last result of `latest`, and the scan and the reports from which it was made. */
  private merged: {
    readonly scan: SourceScanResult;
    readonly reports: readonly IndexedRecords<ScanReport>[];
    readonly latest: LatestScan;
  } | null = null;
  private readonly task: PeriodicTask;

  constructor(
    private readonly scanner: PlaceScanner,
    private readonly index: SourceIndex,
    settings: ProvisionerSettings,
  ) {
    const everyMs = settings.SOURCE_SCAN_INTERVAL * 1000;
    this.task = new PeriodicTask(
      () => this.scan(),
      everyMs,
      (error) => {
        this.outages.failed(error);
      },
    );
  }

  /** Starts the periodic scan with a first scan. */
  start(): void {
    this.task.start();
  }

  /** Waits up to five seconds for the scan in progress. A place may take hours, and a source may not answer. */
  async onApplicationShutdown(): Promise<void> {
    await waitAtMost(Promise.all([this.task.stop(), ...this.soon.values()]));
  }

  /** Returns the last scan by this process. */
  get result(): SourceScanResult {
    return this.current;
  }

  /** Returns the last scan by this process, with the later walks of other processes. */
  async latest(): Promise<LatestScan> {
    const reports = await this.scanner.reports.all();
    const { current, merged } = this;
    if (merged?.scan === current && reports.every((each, at) => each === merged.reports[at])) return merged.latest;
    const places = ScannedPlaces.of(current.places, reports);
    const latest = { ...current, places, version: `${current.version} ${places.version}` };
    this.merged = { scan: current, reports, latest };
    return latest;
  }

  /** Returns the latest summary of a place; undefined if there is none, or if it is outdated as far as a look shows. */
  async known(place: SourcePlace): Promise<PlaceSummary | undefined> {
    const summary = (await this.latest()).places.get(keyOfPlace(place));
    return summary?.top === (await this.scanner.source.topOf(place)) ? summary : undefined;
  }

  /**
   * Starts a walk of a place because its summary may be outdated. The walk updates the lists of every process.
   *
   * @returns the summary; undefined if the walk takes longer than half a second or fails
   */
  async scanBriefly(place: SourcePlace): Promise<PlaceSummary | undefined> {
    const calledAt = new Date().toISOString();
    const key = keyOfPlace(place);
    const walk = this.soon.get(key) ?? this.scanAndReport(place).finally(() => this.soon.delete(key));
    this.soon.set(key, walk);
    const summary = await withTimeout(briefMs, walk).catch(() => undefined);
    // A walk that began before the call may not contain the latest change.
    return summary && summary.scannedAt >= calledAt ? summary : undefined;
  }

  private async scanAndReport(place: SourcePlace): Promise<PlaceSummary | undefined> {
    try {
      const summary = await this.summarise(place);
      await this.scanner.reports.record({ place, summary });
      return summary;
    } catch (error) {
      this.outages.failed(error);
      return undefined;
    }
  }

  /** Starts a scan if none is in progress, because of a change after the last scan. Does nothing before `start`. */
  scanSoon(): void {
    if (!this.task.isRunning) this.task.runNow();
  }

  /** Whether a place has the marker of a complete delivery now. */
  isMarked(place: SourcePlace): Promise<boolean> {
    return this.scanner.source.isMarked(place);
  }

  /** Walks a place and returns its summary. Reads its descriptors again only if the place has changed. */
  async summarise(place: SourcePlace): Promise<PlaceSummary> {
    const key = keyOfPlace(place);
    const { summary, declared, readyFrom } = await this.walk(place);
    this.declared.set(key, declared);
    return { ...summary, readyFrom };
  }

  /** Walks every place once. @throws SourceFailure if the source cannot be listed */
  async scan(): Promise<void> {
    const { submissions, datasets, version: listing } = await this.index.list();
    const collections = submissions.map(collectionOf);
    const places = new Map<string, PlaceSummary>();
    const descriptions = new Map<string, SubmissionDescription | null>();
    const unread: unknown[] = [];
    const declared = new Map<string, DeclaredSummary>();
    for (const place of [...collections, ...datasets]) {
      if (this.task.isStopped) return;
      if (!isIdentifier(place.submission) || !isIdentifier(place.id)) continue;
      const key = keyOfPlace(place);
      try {
        places.set(key, await this.summarise(place));
      } catch (error) {
        // If a place cannot be read, its previous summary is kept and the scan continues.
        unread.push(error);
        const previous = this.current.places.get(key);
        if (previous) places.set(key, previous);
      }
      const summary = this.declared.get(key);
      if (summary) declared.set(key, summary);
      if (place.kind === 'submission') descriptions.set(place.id, summary?.description ?? null);
    }
    this.logUnread(unread);
    // Drops the places that no longer exist.
    this.declared = declared;
    const version = await versionOf(places, descriptions);
    this.current = { scannedAt: new Date().toISOString(), places, descriptions, version, listing };
    await this.removeReports();
  }

  /** Logs one line for all unreadable places, because an unavailable source fails for each of them. */
  private logUnread(errors: readonly unknown[]): void {
    if (errors.length === 0) this.outages.succeeded();
    else
      this.outages.failed(new Error(`cannot read ${String(errors.length)} places; first error: ${String(errors[0])}`));
  }

  /** Removes reports of workers that all processes have replaced by scans. */
  private async removeReports(): Promise<void> {
    const before = new Date(Date.now() - reportMs).toISOString();
    const isOld = ({ place, summary }: ScanReport): boolean =>
      summary.scannedAt < (this.current.places.get(keyOfPlace(place))?.scannedAt ?? before) &&
      summary.scannedAt < before;
    const reports = (await this.scanner.reports.all()).flatMap(({ bySubject }) => [...bySubject.values()]);
    for (const report of reports.filter(isOld)) await this.scanner.reports.remove(report);
  }

  private walk(place: SourcePlace): Promise<SummarisedPlace & { readonly readyFrom: number }> {
    return this.walks.run(async () => {
      // Yields to the event loop, because walks of unchanged small places complete without waiting.
      await setImmediate();
      const known = this.declared.get(keyOfPlace(place));
      const scanned = await this.scanner.summarise(place, known);
      const { changedAt, declared } = scanned;
      const { isCompleteBag } = declared;
      return { ...scanned, readyFrom: await this.scanner.readyFrom(place, { changedAt, isCompleteBag }) };
    });
  }
}

/** Returns a digest of all summaries and descriptions. Yields to other work regularly, because there may be many. */
async function versionOf(
  places: ReadonlyMap<string, PlaceSummary>,
  descriptions: ReadonlyMap<string, SubmissionDescription | null>,
): Promise<string> {
  const digest = createHash('sha256');
  const slice = new TimeSlice();
  for (const entry of places) {
    digest.update(stateOf(...entry));
    if (slice.isSpent) await slice.next();
  }
  for (const entry of descriptions) {
    digest.update(JSON.stringify(entry));
    if (slice.isSpent) await slice.next();
  }
  return digest.digest('base64url');
}
