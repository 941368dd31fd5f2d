import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { OutageLog, TimeSlice } from '@rdc/http';
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

/** Places that are walked at once: what is declared of the files of each is in memory meanwhile. */
const looksAtOnce = 8;

/** A place as a walk saw it. */
export interface ScannedPlace {
  readonly scan: ScanResult;
  readonly isMarked: boolean;
}

/** What the last scan saw of the whole source. */
export interface SourceScanResult {
  /** When it ended, ISO 8601; null before the first. */
  readonly scannedAt: string | null;
  /** By `keyOfPlace`. */
  readonly places: ReadonlyMap<string, PlaceSummary>;
  readonly descriptions: ReadonlyMap<string, SubmissionDescription | null>;
  /** Another text as soon as a scan saw anything else; equal in every process that saw the same. */
  readonly version: string;
  /** The version of the listing that was scanned. */
  readonly listing: string;
}

/** The name under which a scan keeps a place. */
export function keyOfPlace({ kind, submission, id }: SourcePlace): string {
  return `${kind}/${submission}/${id}`;
}

/** Walks the whole source now and then, so that lists show sizes without walking. Never the truth: POSTs walk anew. */
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
  /** What the descriptors of each place came to when they were read last, by `keyOfPlace`. */
  private declared: Map<string, DeclaredSummary> = new Map();
  private readonly looks = new Semaphore(looksAtOnce);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private started = false;
  private stopped = false;

  constructor(
    private readonly scanner: PlaceScanner,
    private readonly index: SourceIndex,
    private readonly settings: ProvisionerSettings,
  ) {}

  /** Scans now, and again and again. */
  start(): void {
    this.started = true;
    this.schedule(0);
  }

  /** Waits for the scan under way, but not for long: one place may take hours, and a source may not answer. */
  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    if (this.running) await waitAtMost(this.running);
  }

  get result(): SourceScanResult {
    return this.current;
  }

  /** Scans soon, because something was seen that the last scan does not know; unless nothing scans at all. */
  scanSoon(): void {
    if (this.started && this.running === null) this.schedule(0);
  }

  /** Whether a scanned place is complete as things stand now. */
  isReady({ isMarked, scan }: ScannedPlace): boolean {
    return Date.now() >= readyFrom(isMarked, scan, this.settings);
  }

  /** Walks one place for what lists show of it. Its descriptors are read again only if the place was changed. */
  async summarise(place: SourcePlace): Promise<PlaceSummary> {
    const key = keyOfPlace(place);
    const [{ summary, declared, changedAt }, isMarked] = await this.walk(place);
    this.declared.set(key, declared);
    return this.withReadiness(summary, isMarked, { changedAt, isCompleteBag: declared.isCompleteBag });
  }

  /** Walks one place and reads its descriptors. */
  scanPlace(place: SourcePlace): Promise<ScannedPlace> {
    return this.looks.run(async () => {
      const scan = await this.scanner.inspect(place);
      // No copy is compared with them.
      releaseScan(scan);
      return { scan, isMarked: await this.scanner.source.isMarked(place) };
    });
  }

  /** Walks everything once. */
  async scan(): Promise<void> {
    const { submissions, datasets, version: listing } = await this.index.list();
    const collections = submissions.map(collectionOf);
    const places = new Map<string, PlaceSummary>();
    const descriptions = new Map<string, SubmissionDescription | null>();
    const unread: unknown[] = [];
    const declared = new Map<string, DeclaredSummary>();
    for (const place of [...collections, ...datasets]) {
      if (this.stopped) return;
      if (!isIdentifier(place.submission) || !isIdentifier(place.id)) continue;
      const key = keyOfPlace(place);
      try {
        places.set(key, await this.summarise(place));
      } catch (error) {
        // One place that cannot be read hides no other, and nothing that was known of it.
        unread.push(error);
        const known = this.current.places.get(key);
        if (known) places.set(key, known);
      }
      const said = this.declared.get(key);
      if (said) declared.set(key, said);
      if (place.kind === 'submission') descriptions.set(place.id, said?.description ?? null);
    }
    this.noteUnread(unread);
    // Places that are gone are forgotten.
    this.declared = declared;
    const version = await versionOf(places, descriptions);
    this.current = { scannedAt: new Date().toISOString(), places, descriptions, version, listing };
  }

  /** Writes one line however many places cannot be read: a source that is away fails for each of them. */
  private noteUnread(errors: readonly unknown[]): void {
    if (errors.length === 0) this.outages.succeeded();
    else
      this.outages.failed(
        new Error(`${String(errors.length)} places cannot be read, one of them: ${String(errors[0])}`),
      );
  }

  private walk(place: SourcePlace): Promise<[SummarisedPlace, boolean]> {
    return this.looks.run(async () => {
      // A small place whose descriptors are known is walked without any wait: thousands of them would be one turn.
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

  private schedule(afterMs: number): void {
    clearTimeout(this.timer);
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.scan()
        .catch((error: unknown) => {
          this.outages.failed(error);
        })
        .finally(() => {
          this.running = null;
          this.schedule(this.settings.SOURCE_SCAN_INTERVAL * 1000);
        });
    }, afterMs);
  }
}

/** Returns a text that is another as soon as an entry is another. Other work runs meanwhile: there may be many entries. */
async function versionOf(...seen: readonly ReadonlyMap<string, unknown>[]): Promise<string> {
  const digest = createHash('sha256');
  const slice = new TimeSlice();
  for (const entries of seen) {
    for (const entry of entries) {
      digest.update(JSON.stringify(entry));
      if (slice.isSpent) await slice.next();
    }
  }
  return digest.digest('base64url');
}
