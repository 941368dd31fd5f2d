import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { OutageLog, PeriodicTask, TimeSlice, withTimeout } from '@rdc/http';
import { forEachConcurrently } from '../concurrency/for-each-concurrently.js';
import { waitAtMost } from '../concurrency/wait-at-most.js';
import type { CommitHeads } from '../model/commit.js';
import type { SubjectKind } from '../model/identifier.js';
import { keyOfPlace, type PlaceSummary } from '../model/place-summary.js';
import type { SourcePlace } from '../model/source-system.js';
import { Storage } from '../model/storage.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { ScanReport } from '../source/scan-reports.js';
import { collectionOf, hasIdentifiers, SourceIndex, type SourceListing } from '../source/source-index.js';
import { BackgroundWalks } from './background-walks.js';
import { renewalMs, ScanLease } from './scan-lease.js';
import { SourceScan } from './source-scan.js';
import { dueAt, type WalkIntervals } from './walk-times.js';

const dayMs = 86_400_000;

/** The longest wait of a round for its walks. Longer walks continue during the next rounds. */
const roundMs = 10_000;

/** Places that are looked at at the same time. */
const looksAtOnce = 16;

/** A place that is not imported and was walked. */
interface UnimportedPlace {
  readonly key: string;
  readonly place: SourcePlace;
  readonly summary: PlaceSummary;
}

/** The places of a listing, by key. */
interface ListedPlaces {
  readonly listing: SourceListing;
  readonly byKey: ReadonlyMap<string, SourcePlace>;
}

/**
 * Rounds over the source. A round lists the source, looks at the tops of deliveries that are not imported, and walks the
 * places that are due. One process makes the rounds for all and stores what it finds.
 */
@Injectable()
export class ScanRounds implements OnApplicationShutdown {
  private readonly outages = new OutageLog('scanning the source', new Logger(ScanRounds.name));
  private readonly intervals: WalkIntervals;
  private readonly background: BackgroundWalks;
  private readonly tasks: readonly [rounds: PeriodicTask, renewals: PeriodicTask];
  private listed: ListedPlaces | null = null;
  private unread: unknown[] = [];
  /** Whether the lease cannot be renewed, because the storage is full or read-only. This process then scans for itself. */
  private isAlone = false;

  constructor(
    private readonly scan: SourceScan,
    private readonly index: SourceIndex,
    private readonly storage: Storage,
    private readonly lease: ScanLease,
    { SOURCE_SCAN_INTERVAL, SOURCE_RECHECK_DAYS }: ProvisionerSettings,
  ) {
    const leastMs = SOURCE_SCAN_INTERVAL * 1000;
    this.intervals = { recheckMs: SOURCE_RECHECK_DAYS * dayMs, leastMs, startedAt: Date.now() };
    this.background = new BackgroundWalks((place) => this.walk(place), leastMs);
    const onFailure = (error: unknown): void => {
      this.outages.failed(error);
    };
    this.tasks = [
      new PeriodicTask(() => this.runIfHeld(), leastMs, onFailure),
      new PeriodicTask(() => this.renew(), renewalMs, onFailure),
    ];
  }

  /** Starts the rounds of this process, which take place while it holds the lease. */
  start(): void {
    for (const task of this.tasks) task.start();
  }

  /** Starts a round if none is in progress, because of a change after the last round. Does nothing before `start`. */
  runSoon(): void {
    const [rounds] = this.tasks;
    if (!rounds.isRunning && this.isScanning()) rounds.runNow();
  }

  /** Stops within ten seconds. A place may take hours, and a source may not answer. */
  async onApplicationShutdown(): Promise<void> {
    this.background.stop();
    await waitAtMost(Promise.all(this.tasks.map((task) => task.stop())));
    if (this.lease.isHeld()) await waitAtMost(this.lease.release());
  }

  /** Makes one round and waits for all its walks, without storing the result, for a process that does not scan for others. */
  async once(): Promise<void> {
    await this.look();
    await this.background.settled();
  }

  private async renew(): Promise<void> {
    const wasScanning = this.isScanning();
    try {
      await this.lease.renew();
      this.isAlone = false;
    } catch (error) {
      this.isAlone = !this.lease.isHeld();
      throw error;
    } finally {
      if (this.isScanning() && !wasScanning) this.tasks[0].runNow();
    }
  }

  private isScanning(): boolean {
    return this.isAlone || this.lease.isHeld();
  }

  private async runIfHeld(): Promise<void> {
    // Walks that were not stored before the lease was lost are older than those of its present holder.
    if (!this.isScanning()) this.scan.dropSaved(this.scan.toSave);
    if (!this.isScanning()) return;
    this.unread = [];
    const { byKey, listing } = await this.look();
    await withTimeout(roundMs, this.background.settled()).catch(() => undefined);
    this.logUnread();
    const round = { scanned_at: new Date().toISOString(), listing: listing.version };
    this.scan.setRound(round);
    if (!this.lease.isHeld()) return;
    await this.save(byKey);
    await this.scan.store.saveRound(round);
  }

  /** Lists the source and starts the walks that are due. */
  private async look(): Promise<ListedPlaces> {
    const listed = await this.list();
    const commits = {
      dataset: await this.storage.commits('dataset'),
      submission: await this.storage.commits('submission'),
    };
    const { places } = await this.scan.latest();
    const unimported: UnimportedPlace[] = [];
    const slice = new TimeSlice();
    for (const [key, place] of listed.byKey) {
      if (slice.isSpent) await slice.next();
      if (!this.background.mayWalk(key)) continue;
      const summary = places.get(key);
      const commit = commitOf(place, commits);
      if (dueAt({ key, summary, commit }, this.intervals) <= Date.now()) this.background.add(key, place);
      else if (!commit && summary) unimported.push({ key, place, summary });
    }
    await this.lookAtTops(unimported);
    this.background.forgetPauses();
    return listed;
  }

  /** Starts a walk of each place whose top differs from the top at its last walk. */
  private async lookAtTops(places: readonly UnimportedPlace[]): Promise<void> {
    const { source } = this.scan.scanner;
    await forEachConcurrently(places, looksAtOnce, async ({ key, place, summary }) => {
      const top = await source.topOf(place);
      // A source without tops shows only the marker.
      const isMarked = top === '' && summary.readyFrom > Date.now() && (await source.isMarked(place));
      if (top !== summary.top || isMarked) this.background.add(key, place);
    });
  }

  private async list(): Promise<ListedPlaces> {
    const listing = await this.index.list();
    if (this.listed?.listing !== listing) {
      const places = [...listing.submissions.map(collectionOf), ...listing.datasets].filter(hasIdentifiers);
      this.listed = { listing, byKey: new Map(places.map((place) => [keyOfPlace(place), place])) };
      this.scan.walks.forgetExcept(new Set(this.listed.byKey.keys()));
    }
    return this.listed;
  }

  /** Stores the walks of this process and the reports of others, and removes places that no longer exist. */
  private async save(listed: ReadonlyMap<string, SourcePlace>): Promise<void> {
    const { scanner, store, toSave } = this.scan;
    const stored = await store.read();
    const changes = new Map<string, ScanReport | null>(toSave);
    const reports = (await scanner.reports.all()).flatMap(({ bySubject }) => [...bySubject.values()]);
    for (const report of reports) {
      const key = keyOfPlace(report.place);
      const known = changes.get(key) ?? stored.get(key);
      const isLater = !known || known.summary.scannedAt < report.summary.scannedAt;
      if (isLater) changes.set(key, { description: known?.description, ...report });
    }
    for (const [key] of stored.entries()) if (!listed.has(key)) changes.set(key, null);
    for (const key of changes.keys()) if (!listed.has(key)) changes.set(key, null);
    await store.save(changes);
    this.scan.dropSaved(toSave);
    for (const report of reports) await scanner.reports.remove(report);
  }

  private async walk(place: SourcePlace): Promise<void> {
    try {
      this.scan.addUnsaved(await this.scan.walks.run(place));
    } catch (error) {
      // If a place cannot be read, its previous summary is kept.
      this.unread.push(error);
    }
  }

  /** Logs one line for all unreadable places, because an unavailable source fails for each of them. */
  private logUnread(): void {
    const [first] = this.unread;
    if (this.unread.length === 0) this.outages.succeeded();
    else
      this.outages.failed(new Error(`cannot read ${String(this.unread.length)} places; first error: ${String(first)}`));
  }
}

/** Returns the commit of a place if it was imported from there. */
function commitOf(
  { kind, submission, id }: SourcePlace,
  commits: Readonly<Record<SubjectKind, CommitHeads>>,
): ReturnType<CommitHeads['bySubject']['get']> {
  const commit = commits[kind].bySubject.get(id);
  return commit?.submission === submission ? commit : undefined;
}
