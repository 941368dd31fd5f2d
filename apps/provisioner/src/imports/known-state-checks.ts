import { Injectable } from '@nestjs/common';
import { headOf, type Commit } from '../model/commit.js';
import { hasChangedSince, type PlaceSummary } from '../model/place-summary.js';
import { isRejectedAs, RequestLog } from '../model/request-log.js';
import type { SourcePlace } from '../model/source-system.js';
import { fits, planSpace } from '../model/space-plan.js';
import { Storage } from '../model/storage.js';
import { SourceScan } from '../scan/source-scan.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { ChangedSinceImportError, NoSpaceError, NotReadyError, RejectedError } from './imports.errors.js';

/**
 * The checks of a request against the known state of its delivery: the marker, the log and the latest walk. No check
 * waits for the walk of a whole delivery.
 */
@Injectable()
export class KnownStateChecks {
  constructor(
    private readonly scan: SourceScan,
    private readonly storage: Storage,
    private readonly log: RequestLog,
    private readonly settings: ProvisionerSettings,
  ) {}

  /**
   * Checks that no walk has found a change of a dataset since its import. If a look shows that the latest scan is
   * outdated, the dataset is walked for half a second.
   */
  async checkSame(commit: Commit, place: SourcePlace, scanned: PlaceSummary | undefined): Promise<void> {
    await this.withKnown(place, scanned, async (known) => {
      const summary = known ?? (await this.scan.scanBriefly(place));
      if (summary && hasChangedSince(headOf(commit), summary)) throw new ChangedSinceImportError(commit, summary);
    });
  }

  /**
   * Checks whether the import is known to be impossible. Checks the marker, which is one look, and the latest scan. The
   * worker checks everything again when it has walked the delivery.
   */
  private async checkKnownState(place: SourcePlace, summary: PlaceSummary | undefined): Promise<void> {
    const { SOURCE_READY, SOURCE_SETTLE, SOURCE_READY_ONLY_MARKER, STORAGE_RESERVE } = this.settings;
    const isSettling = SOURCE_READY_ONLY_MARKER || (summary && Date.now() < summary.readyFrom);
    if (isSettling && !(await this.scan.isMarked(place))) {
      throw new NotReadyError(place.id, SOURCE_READY, SOURCE_SETTLE);
    }
    if (!summary) return;
    const last = await this.log.findLastFailure(place.kind, place.id);
    if (last && isRejectedAs(last, summary.rejectionKey)) throw new RejectedError(last, summary.scannedAt);
    const delivery = { subject: place, fingerprint: summary.fingerprint, content: { ...summary, folders: 0 } };
    const space = await planSpace(this.storage, STORAGE_RESERVE, delivery);
    if (!fits(space)) throw new NoSpaceError(space);
  }

  /**
   * Checks that an import of a place is not known to be impossible.
   *
   * @param scanned a summary of the place that is later than the latest scan
   * @throws NotReadyError, RejectedError, NoSpaceError
   */
  async checkImportable(place: SourcePlace, scanned: PlaceSummary | undefined): Promise<void> {
    await this.withKnown(place, scanned, (known) => this.checkKnownState(place, known));
  }

  /**
   * Checks an import with the latest scan of its place. If the scanned state of the delivery is the reason of a refusal,
   * the place is walked for half a second, because the delivery may have been corrected after the scan.
   */
  private async withKnown(
    place: SourcePlace,
    scanned: PlaceSummary | undefined,
    check: (known: PlaceSummary | undefined) => Promise<void>,
  ): Promise<void> {
    const known = scanned ?? (await this.scan.known(place));
    try {
      await check(known);
    } catch (error) {
      const isDoubtful = known !== undefined && known !== scanned && isOfState(error);
      const present = isDoubtful ? await this.scan.scanBriefly(place) : undefined;
      if (!present) throw error;
      await check(present);
    }
  }
}

/** Whether an import is refused because of the scanned state of its delivery. */
function isOfState(error: unknown): boolean {
  return [NotReadyError, RejectedError, ChangedSinceImportError].some((type) => error instanceof type);
}
