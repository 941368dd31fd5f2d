import { Injectable } from '@nestjs/common';
import { mapConcurrently } from '../concurrency/for-each-concurrently.js';
import { dayOf, FixityLog } from '../fixity/fixity-log.js';
import { Inventory, type Snapshot } from '../inventory/inventory.js';
import type { CommitHead } from '../model/commit.js';
import { RequestLog } from '../model/request-log.js';
import type { Subject } from '../model/identifier.js';
import { keyOfPlace } from '../model/place-summary.js';
import type { SourcePlace } from '../model/source-system.js';
import { briefMs, SourceScan } from '../scan/source-scan.js';
import { collectionOf } from '../source/source-index.js';

const dayMs = 86_400_000;

/** The age up to which a walk shows that a delivery is unchanged. */
const maxWalkAgeMs = 60 * 60_000;

/** Deliveries that are looked at at the same time. */
const looksAtOnce = 16;

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
  /** The places, by `keyOfPlace`, whose imports are old enough and whose deliveries have not changed since. */
  readonly unchanged: ReadonlySet<string>;
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
    private readonly scan: SourceScan,
  ) {}

  /**
   * Finds the datasets of the source that are imported, have not changed since, and whose latest check found no
   * difference. Imported deliveries are walked rarely, so a delivery is walked again, and left out until then, if its
   * latest walk is older than an hour or its top has changed.
   *
   * @param olderThanDays the least age of the import
   * @param waitMs the longest wait for these walks
   */
  async find(olderThanDays: number, waitMs: number = briefMs): Promise<RemovableSet> {
    const { snapshot, unchanged } = await this.unchangedPlaces(olderThanDays, waitMs);
    const [verifications, lastChecks] = await Promise.all([this.log.lastFailures('verify'), this.fixity.lastChecks()]);
    const checks = new Map<string, LatestCheck>();
    for (const place of snapshot.listing.datasets) {
      const commit = unchanged.has(keyOfPlace(place)) ? unchangedCommit(place, snapshot) : null;
      if (!commit || verifications.bySubject.has(place.id)) continue;
      if (snapshot.listing.duplicates.dataset.has(place.id)) continue;
      checks.set(place.id, latestCheckOf(commit, lastChecks.get(place.id)));
    }
    return { snapshot, unchanged, checks };
  }

  private async unchangedPlaces(
    olderThanDays: number,
    waitMs: number,
  ): Promise<{ readonly snapshot: Snapshot; readonly unchanged: ReadonlySet<string> }> {
    const snapshot = await this.inventory.take();
    const { submissions, datasets } = snapshot.listing;
    const before = snapshot.takenAt - olderThanDays * dayMs;
    const isCandidate = (place: SourcePlace): boolean => {
      const commit = settledCommit(place, snapshot);
      return commit !== null && Date.parse(commit.imported_at) <= before;
    };
    const candidates = [...submissions.map(collectionOf), ...datasets].filter(isCandidate);
    const walkedAfter = new Date(snapshot.takenAt - maxWalkAgeMs).toISOString();
    const areCurrent = await mapConcurrently(candidates, looksAtOnce, async (place) => {
      const summary = snapshot.summaryOf(place);
      return summary !== undefined && summary.scannedAt > walkedAfter && (await this.scan.isTopOf(place, summary));
    });
    const outdated = candidates.filter((_, at) => !areCurrent[at]);
    if (outdated.length > 0) await this.scan.walkAll(outdated, waitMs);
    const present = outdated.length > 0 ? await this.inventory.take() : snapshot;
    const isWalked = (place: SourcePlace, at: number): boolean =>
      areCurrent[at] === true ||
      (present.summaryOf(place)?.scannedAt ?? '') >= new Date(snapshot.takenAt).toISOString();
    const unchanged = candidates.filter((place, at) => isWalked(place, at) && unchangedCommit(place, present));
    return { snapshot: present, unchanged: new Set(unchanged.map(keyOfPlace)) };
  }
}

/** Returns the commit of a place if its import is complete, and if nothing else is under way. */
function settledCommit(place: SourcePlace, snapshot: Snapshot): CommitHead | null {
  const { commits, open, failures } = snapshot.stored[place.kind];
  const commit = commits.get(place.id);
  if (commit?.submission !== place.submission || open.has(place.id)) return null;
  return failures.get(place.id)?.id === commit.import_id ? null : commit;
}

/** Returns the settled commit of a place if the latest scan found the imported state. */
function unchangedCommit(place: SourcePlace, snapshot: Snapshot): CommitHead | null {
  const commit = settledCommit(place, snapshot);
  return commit && snapshot.summaryOf(place)?.fingerprint === commit.fingerprint ? commit : null;
}

/** Returns the path of a place below the root of the source. */
export function sourcePathOf({ kind, submission, id }: Subject & Pick<SourcePlace, 'submission'>): string {
  return kind === 'submission' ? `${submission}/` : `${submission}/${id}/`;
}

function latestCheckOf({ imported_at }: CommitHead, checkedOn = ''): LatestCheck {
  const importedOn = dayOf(new Date(imported_at));
  return checkedOn >= importedOn ? { on: checkedOn, by: 'fixity' } : { on: importedOn, by: 'import' };
}
