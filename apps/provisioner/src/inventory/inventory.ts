import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { RequestLog, type LastFailure, type OpenRequest } from '../model/request-log.js';
import type { SubjectKind } from '../model/identifier.js';
import type { PlaceSummary } from '../source/place-summary.js';
import { hasIdentifiers, SourceIndex, type SourceListing } from '../source/source-index.js';
import { keyOfPlace, SourceScan } from '../scan/source-scan.js';
import type { SourcePlace, SubmissionDescription } from '../model/source-system.js';
import type { CommitHead } from '../model/commit.js';
import { Storage } from '../model/storage.js';

/** What storage knows of the subjects of one kind, by their ids. */
export interface StoredSubjects {
  readonly commits: ReadonlyMap<string, CommitHead>;
  readonly open: ReadonlyMap<string, OpenRequest>;
  readonly failures: ReadonlyMap<string, LastFailure>;
  /** An id that differs from this by case only and is imported, or under way. */
  readonly twinOf: (id: string) => string | undefined;
}

/** Both sides at one moment: what the source holds and what storage holds. */
export interface Snapshot {
  readonly listing: SourceListing;
  readonly stored: Readonly<Record<SubjectKind, StoredSubjects>>;
  /** When the source was last scanned for sizes, ISO 8601; null before the first time. */
  readonly scannedAt: string | null;
  /** The moment, in milliseconds since 1970: what is complete from then on is complete. */
  readonly takenAt: number;
  /** Another text as soon as anything that is shown of either side is another; equal in every process that sees the same. */
  readonly version: string;
  /** What the scan saw of a place; undefined when it does not know it. */
  readonly summaryOf: (place: SourcePlace) => PlaceSummary | undefined;
  /** What a submission says of itself. */
  readonly descriptionOf: (reference: string) => SubmissionDescription | null;
}

/** Compares what the source holds with what storage holds. */
@Injectable()
export class Inventory {
  constructor(
    private readonly index: SourceIndex,
    private readonly scan: SourceScan,
    private readonly storage: Storage,
    private readonly log: RequestLog,
  ) {}

  /** One listing of each side, joined with the last scan; opens no file that is known already. */
  async take(): Promise<Snapshot> {
    const [listing, dataset, submission] = await Promise.all([
      this.index.list(),
      readStoredSubjects('dataset', this.storage, this.log),
      readStoredSubjects('submission', this.storage, this.log),
    ]);
    const { result } = this.scan;
    if (result.scannedAt !== null && result.listing !== listing.version) this.scan.scanSoon();
    const takenAt = Date.now();
    const versions = [listing.version, result.version, ...dataset.versions, ...submission.versions];
    return {
      listing,
      stored: { dataset, submission },
      scannedAt: result.scannedAt,
      takenAt,
      version: hash('sha256', [...versions, countReady(result.places, takenAt)].join(' '), 'base64url'),
      summaryOf: (place) => result.places.get(keyOfPlace(place)),
      descriptionOf: (reference) => result.descriptions.get(reference) ?? null,
    };
  }

  /** The same with some places walked anew. */
  async takeScanning(places: readonly SourcePlace[]): Promise<Snapshot> {
    const snapshot = await this.take();
    const fresh = new Map<string, PlaceSummary>();
    for (const place of places) {
      if (!hasIdentifiers(place)) continue;
      fresh.set(keyOfPlace(place), await this.scan.summarise(place));
    }
    return {
      ...snapshot,
      scannedAt: new Date().toISOString(),
      takenAt: Date.now(),
      summaryOf: (place) => fresh.get(keyOfPlace(place)) ?? snapshot.summaryOf(place),
    };
  }
}

/** What storage knows of the subjects of a kind, as it is now. */
export async function readStoredSubjects(
  kind: SubjectKind,
  storage: Storage,
  log: RequestLog,
): Promise<StoredSubjects & { readonly versions: readonly string[] }> {
  // Requests first: an import that ends meanwhile is seen as open and imported, never as neither.
  const open = await log.openRequests(kind);
  const [commits, failures] = await Promise.all([storage.commits(kind), log.lastFailures(kind)]);
  return {
    commits: commits.byId,
    open: open.bySubject,
    failures: failures.bySubject,
    twinOf: (id) => commits.caseVariantOf(id) ?? open.caseVariantOf(id),
    versions: [commits.version, open.version, failures.version],
  };
}

/** Whether a place's id is another's too, perhaps but for case. What is imported itself does not mind a twin in storage. */
export function isDuplicate({ kind, id }: SourcePlace, { duplicates }: SourceListing, stored: StoredSubjects): boolean {
  return duplicates[kind].has(id) || (!stored.commits.has(id) && stored.twinOf(id) !== undefined);
}

/** Places become complete by waiting, without any scan; how many have tells which. */
function countReady(places: ReadonlyMap<string, PlaceSummary>, at: number): number {
  let count = 0;
  for (const { readyFrom } of places.values()) if (readyFrom <= at) count += 1;
  return count;
}
