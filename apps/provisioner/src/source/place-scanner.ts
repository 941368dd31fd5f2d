import { Injectable } from '@nestjs/common';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { Storage } from '../model/storage.js';
import type { PlaceSummary } from '../model/place-summary.js';
import { DeclarationThreads } from './declarations/declaration-threads.js';
import type { Problem } from '../model/problem.js';
import { summarisePlace, type DeclaredSummary, type SummarisedPlace } from './place-summary.js';
import { ScanReports } from './scan-reports.js';
import { readyFrom, type ReadinessState } from './readiness.js';
import { SubmissionLists } from './submission-lists.js';
import { SourceSystem, type SourceEntry, type SourcePlace } from '../model/source-system.js';
import { fingerprintPlace, scanPlace, type ScanResult, type ScanPolicy } from './place-scan.js';

/** Scans places of the source by the rules of the settings and of the storage. */
@Injectable()
export class PlaceScanner {
  readonly lists: SubmissionLists;

  constructor(
    readonly source: SourceSystem,
    readonly threads: DeclarationThreads,
    private readonly storage: Storage,
    readonly reports: ScanReports,
    private readonly settings: ProvisionerSettings,
  ) {
    this.lists = new SubmissionLists(source);
  }

  /** Scans a place. The declared checksums stay in memory until `releaseScan`. */
  scan(place: SourcePlace, signal?: AbortSignal): Promise<ScanResult> {
    return scanPlace(this, place, this.policyFor(place, signal));
  }

  /** Scans a place for its problems and totals only. */
  inspect(place: SourcePlace, signal?: AbortSignal): Promise<ScanResult> {
    return scanPlace(this, place, this.policyFor(place, signal), false);
  }

  /** Scans a place for its summary in lists. @param known the result of an earlier scan of the same place */
  summarise(place: SourcePlace, known: DeclaredSummary | undefined): Promise<SummarisedPlace> {
    return summarisePlace(this, place, this.policyFor(place), known);
  }

  /**
   * Returns since when walks have found a place as it is, and from when it counts as complete.
   *
   * @param previous the previous walk of the place; undefined if there is none
   */
  async settlingOf(
    place: SourcePlace,
    walk: Omit<ReadinessState, 'unchangedSince'> & Pick<PlaceSummary, 'fingerprint'>,
    previous: Pick<PlaceSummary, 'fingerprint' | 'unchangedSince'> | undefined,
  ): Promise<Pick<PlaceSummary, 'unchangedSince' | 'readyFrom'>> {
    const unchangedSince = previous?.fingerprint === walk.fingerprint ? previous.unchangedSince : walk.scannedAt;
    const isMarked = await this.source.isMarked(place);
    return { unchangedSince, readyFrom: readyFrom(isMarked, { ...walk, unchangedSince }, this.settings) };
  }

  /** Returns the present fingerprint of a place. */
  fingerprint(place: SourcePlace, signal: AbortSignal): Promise<Pick<ScanResult, 'fingerprint' | 'changedAt'>> {
    return fingerprintPlace(this.source, place, { symlinks: this.settings.SYMLINKS, signal });
  }

  private policyFor(place: SourcePlace, signal?: AbortSignal): ScanPolicy {
    const { SYMLINKS, HARD_LINKS, NAMES, REQUIRE_CHECKSUMS, REQUIRE_CHECKSUMS_OF } = this.settings;
    const isNamed = REQUIRE_CHECKSUMS_OF.some((beginning) => place.submission.startsWith(beginning));
    const checksums = isNamed ? 'refuse' : REQUIRE_CHECKSUMS;
    const refusal = (entry: SourceEntry): Problem | undefined => this.storage.refusalOf(place, entry);
    const policies = { symlinks: SYMLINKS, hardLinks: HARD_LINKS, names: NAMES, checksums };
    return { ...policies, refusal, ...(signal && { signal }) };
  }
}
