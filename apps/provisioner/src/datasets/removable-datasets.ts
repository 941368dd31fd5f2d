import { Injectable } from '@nestjs/common';
import { dayOf, FixityLog } from '../fixity/fixity-log.js';
import { Inventory, type Snapshot } from '../inventory/inventory.js';
import type { CommitHead } from '../model/commit.js';
import { RequestLog } from '../model/request-log.js';
import type { Subject } from '../model/identifier.js';
import type { SourcePlace } from '../model/source-system.js';

const dayMs = 86_400_000;

/** The latest time at which the stored files of a dataset were compared with their checksums. */
export interface LatestCheck {
  /** The day in UTC, as `2026-11-21`. */
  readonly on: string;
  /** `import`: the import compared each file that it stored. `fixity`: a verification read the stored files again. */
  readonly by: 'import' | 'fixity';
}

/** The datasets whose deliveries can be deleted at one time. */
export interface RemovableSet {
  readonly snapshot: Snapshot;
  /** Whether the import of a commit is older than the requested age. */
  readonly isOldEnough: (commit: CommitHead) => boolean;
  /** The latest checks of the datasets of the source whose deliveries can be deleted, by id. */
  readonly checks: ReadonlyMap<string, LatestCheck>;
}

/** Finds deliveries that can be deleted from the source, because the storage has the same data. */
@Injectable()
export class RemovableDatasets {
  constructor(
    private readonly inventory: Inventory,
    private readonly log: RequestLog,
    private readonly fixity: FixityLog,
  ) {}

  /**
   * Finds the datasets of the source that are imported, have not changed since, and whose latest check found no
   * difference. Whether a delivery has changed is known from the latest scan of the source, so a delivery that was not
   * scanned is left out.
   *
   * @param olderThanDays the least age of the import
   */
  async find(olderThanDays: number): Promise<RemovableSet> {
    const [snapshot, verifications, lastChecks] = await Promise.all([
      this.inventory.take(),
      this.log.lastFailures('verify'),
      this.fixity.lastChecks(),
    ]);
    const before = snapshot.takenAt - olderThanDays * dayMs;
    const isOldEnough = ({ imported_at }: CommitHead): boolean => Date.parse(imported_at) <= before;
    const checks = new Map<string, LatestCheck>();
    for (const place of snapshot.listing.datasets) {
      const commit = unchangedCommit(place, snapshot);
      if (!commit || !isOldEnough(commit) || verifications.bySubject.has(place.id)) continue;
      if (snapshot.listing.duplicates.dataset.has(place.id)) continue;
      checks.set(place.id, latestCheckOf(commit, lastChecks.get(place.id)));
    }
    return { snapshot, isOldEnough, checks };
  }
}

/**
 * Returns the commit of a place if its import is complete, if nothing else is under way, and if the latest scan found
 * the imported state.
 */
export function unchangedCommit(place: SourcePlace, snapshot: Snapshot): CommitHead | null {
  const { commits, open, failures } = snapshot.stored[place.kind];
  const commit = commits.get(place.id);
  if (commit?.submission !== place.submission || open.has(place.id)) return null;
  if (failures.get(place.id)?.id === commit.import_id) return null;
  return snapshot.summaryOf(place)?.fingerprint === commit.fingerprint ? commit : null;
}

/** Returns the path of a place below the root of the source. */
export function sourcePathOf({ kind, submission, id }: Subject & Pick<SourcePlace, 'submission'>): string {
  return kind === 'submission' ? `${submission}/` : `${submission}/${id}/`;
}

function latestCheckOf({ imported_at }: CommitHead, checkedOn = ''): LatestCheck {
  const importedOn = dayOf(new Date(imported_at));
  return checkedOn >= importedOn ? { on: checkedOn, by: 'fixity' } : { on: importedOn, by: 'import' };
}
