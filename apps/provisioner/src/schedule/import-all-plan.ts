import { Injectable } from '@nestjs/common';
import { isReady } from '../datasets/dataset.response.js';
import { Inventory, isDuplicate, type Snapshot } from '../inventory/inventory.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { collectionOf } from '../source/source-index.js';
import type { SourcePlace } from '../model/source-system.js';
import { Storage } from '../model/storage.js';
import { isSettled, reasonToSkip } from './import-all.js';

/** What importing everything in the diff would do, by the last scan of the source. */
export interface ImportAllPlan {
  readonly dry_run: true;
  /** Imports that would be queued. */
  readonly datasets: number;
  readonly submissions: number;
  readonly files: number;
  readonly bytes: number;
  /** What imports may still take, `STORAGE_RESERVE` left out; null where the storage cannot tell. */
  readonly free_bytes: number | null;
  readonly fits: boolean;
  /** How many would be left alone, by why. */
  readonly skipped: Readonly<Record<string, number>>;
  /** When the source was scanned, ISO 8601; null before the first time. */
  readonly as_of: string | null;
}

/** Says what importing everything in the diff would do. */
@Injectable()
export class ImportAllPlanner {
  constructor(
    private readonly inventory: Inventory,
    private readonly storage: Storage,
    private readonly settings: ProvisionerSettings,
  ) {}

  /** Looks only at what the last scan of the source has not seen; the rest may have changed since. */
  async plan(): Promise<ImportAllPlan> {
    const [{ snapshot, as_of }, space] = await Promise.all([this.look(), this.storage.freeSpace()]);
    const found = { datasets: 0, submissions: 0, files: 0, bytes: 0 };
    const skipped: Record<string, number> = {};
    for (const place of missingPlaces(snapshot)) {
      const why = reasonIn(snapshot, place);
      if (why !== null) {
        skipped[why] = (skipped[why] ?? 0) + 1;
        continue;
      }
      found[`${place.kind}s`] += 1;
      // What stands already is not copied again.
      if (snapshot.stored[place.kind].commits.has(place.id)) continue;
      const seen = snapshot.summaryOf(place);
      found.files += seen?.files ?? 0;
      found.bytes += seen?.bytes ?? 0;
    }
    const room = this.settings.STORAGE_RESERVE.roomIn(space);
    const free_bytes = Number.isFinite(room) ? room : null;
    return { dry_run: true, ...found, free_bytes, fits: found.bytes <= room, skipped, as_of };
  }

  private async look(): Promise<{ readonly snapshot: Snapshot; readonly as_of: string | null }> {
    const snapshot = await this.inventory.take();
    const unseen = [...missingPlaces(snapshot)].filter((place) => !snapshot.summaryOf(place));
    const isComplete = unseen.length === 0;
    return { snapshot: isComplete ? snapshot : await this.inventory.takeScanning(unseen), as_of: snapshot.scannedAt };
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
  const why = reasonToSkip(place, isDuplicate(place, snapshot.listing, stored), stored.open.has(place.id), last);
  if (why !== null) return why;
  const seen = snapshot.summaryOf(place);
  if (!isReady(seen, snapshot)) return 'source.not_ready';
  return last?.state === 'rejected' && last.fingerprint === seen?.rejectionKey ? 'source.rejected' : null;
}
