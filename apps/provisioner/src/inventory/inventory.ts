import { Injectable } from '@nestjs/common';
import type { ImportEnding, ImportRequest } from '../imports/import-record.js';
import { RequestLog } from '../imports/request-log.js';
import { SourceIndex, type SourceListing } from '../source/source-index.js';
import { keyOfPlace, SourceScan, type ScannedPlace, type SourceScanResult } from '../source/source-scan.js';
import type { SourcePlace } from '../source/source-system.js';
import { isIdentifier, type SubjectKind } from '../source/identifier.js';
import type { Commit } from '../storage/commit.js';
import { Storage } from '../storage/storage.js';

/** What storage knows of the subjects of one kind. */
export interface StoredSide {
  readonly commits: ReadonlyMap<string, Commit>;
  readonly open: ReadonlyMap<string, ImportRequest>;
  readonly failures: ReadonlyMap<string, ImportEnding>;
}

/** Both sides at one moment: what the source holds and what storage holds. */
export interface Snapshot {
  readonly listing: SourceListing;
  readonly scan: SourceScanResult;
  readonly stored: Readonly<Record<SubjectKind, StoredSide>>;
  /** Whether a scanned place is complete as things stand now. */
  readonly isReady: (place: ScannedPlace) => boolean;
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

  /** One listing of each side, joined with the last scan; opens no file of the source. */
  async take(): Promise<Snapshot> {
    const [listing, open, dataset, submission] = await Promise.all([
      this.index.list(),
      this.log.listOpen(),
      this.side('dataset'),
      this.side('submission'),
    ]);
    const openOf = (kind: SubjectKind): ReadonlyMap<string, ImportRequest> =>
      new Map(open.filter((request) => request.kind === kind).map((request) => [request.subject, request]));
    this.hurryForNews(listing);
    return {
      listing,
      scan: this.scan.result,
      stored: {
        dataset: { ...dataset, open: openOf('dataset') },
        submission: { ...submission, open: openOf('submission') },
      },
      isReady: (place) => this.scan.isReady(place),
    };
  }

  /** The same with one place walked anew. */
  async takeWith(places: readonly SourcePlace[]): Promise<Snapshot> {
    const snapshot = await this.take();
    const fresh = await Promise.all(
      places
        .filter(({ id, submission }) => isIdentifier(id) && isIdentifier(submission))
        .map(async (place) => [keyOfPlace(place), await this.scan.look(place)] as const),
    );
    const scan = {
      ...snapshot.scan,
      scannedAt: new Date().toISOString(),
      places: new Map([...snapshot.scan.places, ...fresh]),
    };
    return { ...snapshot, scan };
  }

  private async side(kind: SubjectKind): Promise<Omit<StoredSide, 'open'>> {
    const [commits, failures] = await Promise.all([this.storage.commits(kind), this.log.listLastFailures(kind)]);
    return { commits, failures };
  }

  private hurryForNews({ datasets }: SourceListing): void {
    const { places, scannedAt } = this.scan.result;
    const isNew = (place: SourcePlace): boolean =>
      isIdentifier(place.id) && isIdentifier(place.submission) && !places.has(keyOfPlace(place));
    if (scannedAt && datasets.some(isNew)) this.scan.hurry();
  }
}
