import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { OutageLog, PeriodicTask, TimeSlice } from '@rdc/http';
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Semaphore } from '../concurrency/semaphore.js';
import { waitAtMost } from '../concurrency/wait-at-most.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { isIdentifier } from '../model/identifier.js';
import type { DeclaredSummary, PlaceSummary, SummarisedPlace } from '../source/place-summary.js';
import { readyFrom } from '../source/readiness.js';
import { collectionOf, SourceIndex } from '../source/source-index.js';
import { PlaceScanner } from '../source/place-scanner.js';
import type { SourcePlace, SubmissionDescription } from '../model/source-system.js';
import { releaseScan, type ScanResult } from '../source/place-scan.js';

/** Number of places that are walked concurrently. The declared file list of each is in memory during its walk. */
const concurrentWalks = 8;

/** The result of a walk of a place. */
export interface ScannedPlace {
  readonly scan: ScanResult;
  readonly isMarked: boolean;
}

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

/** Returns the key of a place in the result of a scan. */
export function keyOfPlace({ kind, submission, id }: SourcePlace): string {
  return `${kind}/${submission}/${id}`;
}

/** Scans the source periodically, so that lists show sizes without a walk. Import requests always walk again. */
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
  private readonly task: PeriodicTask;

  constructor(
    private readonly scanner: PlaceScanner,
    private readonly index: SourceIndex,
    private readonly settings: ProvisionerSettings,
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
    await waitAtMost(this.task.stop());
  }

  get result(): SourceScanResult {
    return this.current;
  }

  /** Starts a scan if none is in progress, because of a change after the last scan. Does nothing before `start`. */
  scanSoon(): void {
    if (!this.task.isRunning) this.task.runNow();
  }

  /** Whether the delivery of a scanned place is complete at this moment. */
  isReady({ isMarked, scan }: ScannedPlace): boolean {
    return Date.now() >= readyFrom(isMarked, scan, this.settings);
  }

  /** Walks a place and returns its summary. Reads its descriptors again only if the place has changed. */
  async summarise(place: SourcePlace): Promise<PlaceSummary> {
    const key = keyOfPlace(place);
    const [{ summary, declared, changedAt }, isMarked] = await this.walk(place);
    this.declared.set(key, declared);
    return this.withReadiness(summary, isMarked, { changedAt, isCompleteBag: declared.isCompleteBag });
  }

  /** Walks a place and reads its descriptors. */
  scanPlace(place: SourcePlace): Promise<ScannedPlace> {
    return this.walks.run(async () => {
      const scan = await this.scanner.inspect(place);
      // The declared checksums are needed only for a copy.
      releaseScan(scan);
      return { scan, isMarked: await this.scanner.source.isMarked(place) };
    });
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
  }

  /** Logs one line for all unreadable places, because an unavailable source fails for each of them. */
  private logUnread(errors: readonly unknown[]): void {
    if (errors.length === 0) this.outages.succeeded();
    else
      this.outages.failed(new Error(`cannot read ${String(errors.length)} places; first error: ${String(errors[0])}`));
  }

  private walk(place: SourcePlace): Promise<[SummarisedPlace, boolean]> {
    return this.walks.run(async () => {
      // Yields to the event loop, because walks of unchanged small places complete without waiting.
      await setImmediate();
      const known = this.declared.get(keyOfPlace(place));
      return [await this.scanner.summarise(place, known), await this.scanner.source.isMarked(place)];
    });
  }

  private withReadiness(
    summary: SummarisedPlace['summary'],
    isMarked: boolean,
    state: Pick<ScanResult, 'isCompleteBag' | 'changedAt'>,
  ): PlaceSummary {
    return { ...summary, readyFrom: readyFrom(isMarked, state, this.settings) };
  }
}

/** Returns a digest of all entries. Yields to other work regularly, because there may be many entries. */
async function versionOf(...maps: readonly ReadonlyMap<string, unknown>[]): Promise<string> {
  const digest = createHash('sha256');
  const slice = new TimeSlice();
  for (const entries of maps) {
    for (const entry of entries) {
      digest.update(JSON.stringify(entry));
      if (slice.isSpent) await slice.next();
    }
  }
  return digest.digest('base64url');
}
