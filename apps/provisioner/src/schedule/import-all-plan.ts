import { Injectable } from '@nestjs/common';
import { isReady } from '../datasets/dataset.response.js';
import { Inventory, isDuplicate, type Snapshot } from '../inventory/inventory.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { collectionOf } from '../source/source-index.js';
import type { SourcePlace } from '../model/source-system.js';
import { isRejectedAs } from '../model/request-log.js';
import { Storage } from '../model/storage.js';
import { isSettled, reasonToSkip } from './import-all.js';

/** The plan of an import of the whole diff, based on the latest scan of the source. */
export interface ImportAllPlan {
  readonly dry_run: true;
  /** Dataset imports that would be queued. */
  readonly datasets: number;
  /** Submission imports that would be queued. */
  readonly submissions: number;
  readonly files: number;
  readonly bytes: number;
  /** Bytes that imports can still use without `STORAGE_RESERVE`; null if the storage has no known limit. */
  readonly free_bytes: number | null;
  readonly fits: boolean;
  /** The number of skipped places by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** The time of the latest scan of the source, ISO 8601; null before the first scan. */
  readonly as_of: string | null;
}

@Injectable()
export class ImportAllPlanner {
  constructor(
    private readonly inventory: Inventory,
    private readonly storage: Storage,
    private readonly settings: ProvisionerSettings,
  ) {}

  /** Plans the import. Places that no scan has seen are skipped as `not_scanned`. */
  async plan(): Promise<ImportAllPlan> {
    const [snapshot, space] = await Promise.all([this.inventory.take(), this.storage.freeSpace()]);
    const sums = { datasets: 0, submissions: 0, files: 0, bytes: 0 };
    const skipped: Record<string, number> = {};
    for (const place of missingPlaces(snapshot)) {
      const reason = reasonIn(snapshot, place);
      if (reason !== null) {
        skipped[reason] = (skipped[reason] ?? 0) + 1;
        continue;
      }
      sums[`${place.kind}s`] += 1;
      // A published subject is not copied again.
      if (snapshot.stored[place.kind].commits.has(place.id)) continue;
      const summary = snapshot.summaryOf(place);
      sums.files += summary?.files ?? 0;
      sums.bytes += summary?.bytes ?? 0;
    }
    const room = this.settings.STORAGE_RESERVE.roomIn(space);
    const free_bytes = Number.isFinite(room) ? room : null;
    return { dry_run: true, ...sums, free_bytes, fits: sums.bytes <= room, skipped, as_of: snapshot.scannedAt };
  }
}

function* missingPlaces({ listing, stored }: Snapshot): Generator<SourcePlace> {
  const isMissing = ({ kind, id }: SourcePlace): boolean =>
    !isSettled(stored[kind].commits.get(id), stored[kind].failures.get(id));
  for (const place of listing.submissions.map(collectionOf)) if (isMissing(place)) yield place;
  for (const place of listing.datasets) if (isMissing(place)) yield place;
}

function reasonIn(snapshot: Snapshot, place: SourcePlace): string | null {
  const stored = snapshot.stored[place.kind];
  const last = stored.failures.get(place.id);
  const reason = reasonToSkip(place, isDuplicate(place, snapshot.listing, stored), stored.open.has(place.id), last);
  if (reason !== null) return reason;
  const summary = snapshot.summaryOf(place);
  if (!summary) return 'not_scanned';
  if (!isReady(summary, snapshot)) return 'source.not_ready';
  return isRejectedAs(last, summary.rejectionKey) ? 'source.rejected' : null;
}
