import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { RequestLog, type LastFailure, type OpenRequest } from '../model/request-log.js';
import type { SubjectKind } from '../model/identifier.js';
import { keyOfPlace, type PlaceSummary } from '../model/place-summary.js';
import { SourceIndex, type SourceListing } from '../source/source-index.js';
import { ScanRounds } from '../scan/scan-rounds.js';
import { SourceScan, type LatestScan } from '../scan/source-scan.js';
import type { SourcePlace, SubmissionDescription } from '../model/source-system.js';
import type { CommitHead } from '../model/commit.js';
import { Storage } from '../model/storage.js';
import { HeldIndex, type HeldIn, type HeldPlaces } from './held-places.js';

/** The subjects of one kind in the storage, by their ids. */
export interface StoredSubjects {
  readonly commits: ReadonlyMap<string, CommitHead>;
  readonly open: ReadonlyMap<string, OpenRequest>;
  readonly failures: ReadonlyMap<string, LastFailure>;
  /** Returns an imported or open id that differs by case only. */
  readonly twinOf: (id: string) => string | undefined;
}

/** The contents of the source and of the storage at one time. */
export interface Snapshot {
  readonly listing: SourceListing;
  readonly stored: Readonly<Record<SubjectKind, StoredSubjects>>;
  /** The places of both systems. */
  readonly held: HeldPlaces;
  /** The time of the latest scan of the source, ISO 8601; null before the first scan. */
  readonly scannedAt: string | null;
  /** The time of the snapshot, in milliseconds since 1970. It decides which deliveries are complete. */
  readonly takenAt: number;
  /** A text that changes with the contents. It is equal in all processes with the same contents. */
  readonly version: string;
  /** Returns the latest scan of a place; undefined if the place is not in the source or has not been scanned. */
  readonly summaryOf: (place: SourcePlace) => PlaceSummary | undefined;
  /** Returns the description that a submission contains, or contained at its import if it has not been scanned. */
  readonly descriptionOf: (reference: string) => Partial<SubmissionDescription> | null;
}

@Injectable()
export class Inventory {
  private readonly heldIndex = new HeldIndex();

  constructor(
    private readonly index: SourceIndex,
    private readonly scan: SourceScan,
    private readonly storage: Storage,
    private readonly log: RequestLog,
    private readonly rounds: ScanRounds,
  ) {}

  /** Takes a snapshot from a listing of each side and the latest scan. Unchanged files are not opened. */
  async take(): Promise<Snapshot> {
    const [listing, result, dataset, submission] = await Promise.all([
      this.index.list(),
      this.scan.latest(),
      readStoredSubjects('dataset', this.storage, this.log),
      readStoredSubjects('submission', this.storage, this.log),
    ]);
    if (result.scannedAt !== null && result.listing !== listing.version) this.rounds.runSoon();
    const takenAt = Date.now();
    const versions = [listing.version, result.version, ...dataset.versions, ...submission.versions];
    const held = this.heldIndex.of({ listing, datasets: dataset.commits, submissions: submission.commits });
    return {
      listing,
      stored: { dataset, submission },
      held,
      scannedAt: result.scannedAt,
      takenAt,
      version: hash('sha256', [...versions, countReady(result.places, takenAt)].join(' '), 'base64url'),
      // The last walk of a place that was removed since says nothing about the source.
      summaryOf: (place) => (isInSource(held.holderOf(place)) ? result.places.get(keyOfPlace(place)) : undefined),
      descriptionOf: (reference) => {
        const scanned = result.places.descriptionOf(reference);
        return scanned === undefined ? (submission.commits.get(reference)?.description ?? null) : scanned;
      },
    };
  }
}

/** Reads the subjects of a kind from the storage. */
export async function readStoredSubjects(
  kind: SubjectKind,
  storage: Storage,
  log: RequestLog,
): Promise<StoredSubjects & { readonly versions: readonly string[] }> {
  // Requests are read first, so that an import that ends in the meantime is never missing in both.
  const open = await log.openRequests(kind);
  const [commits, failures] = await Promise.all([storage.commits(kind), log.lastFailures(kind)]);
  return {
    commits: commits.bySubject,
    open: open.bySubject,
    failures: failures.bySubject,
    twinOf: (id) => commits.caseVariantOf(id) ?? open.caseVariantOf(id),
    versions: [commits.version, open.version, failures.version],
  };
}

/**
 * Returns whether another place or stored subject has the id of a place, or an id that differs by case only. Stored
 * subjects do not matter if the place is imported.
 */
export function isDuplicate({ kind, id }: SourcePlace, { duplicates }: SourceListing, stored: StoredSubjects): boolean {
  return duplicates[kind].has(id) || (!stored.commits.has(id) && stored.twinOf(id) !== undefined);
}

/** Whether a place is in the source. */
function isInSource(holder: HeldIn | null): boolean {
  return holder === 'source' || holder === 'both';
}

/** Counts the complete places. The number identifies them, because places become complete in the order of time. */
function countReady(places: LatestScan['places'], at: number): number {
  let count = 0;
  for (const { readyFrom } of places.values()) if (readyFrom <= at) count += 1;
  return count;
}
