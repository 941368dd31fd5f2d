import { Injectable } from '@nestjs/common';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { Storage } from '../model/storage.js';
import { DeclarationThreads } from './declarations/declaration-threads.js';
import type { Problem } from '../model/problem.js';
import { summarisePlace, type DeclaredSummary, type SummarisedPlace } from './place-summary.js';
import { SourceSystem, type SourceEntry, type SourcePlace } from '../model/source-system.js';
import { fingerprintPlace, scanPlace, type ScanResult, type ScanPolicy } from './place-scan.js';

/** Surveys places of the source by the rules that the operator has set and the storage needs. */
@Injectable()
export class PlaceScanner {
  constructor(
    readonly source: SourceSystem,
    readonly threads: DeclarationThreads,
    private readonly storage: Storage,
    private readonly settings: ProvisionerSettings,
  ) {}

  /** Surveys a place. The declared files stay in memory until `releaseSurvey`. */
  scan(place: SourcePlace, signal?: AbortSignal): Promise<ScanResult> {
    return scanPlace(this, place, this.policyFor(place, signal));
  }

  /** Surveys a place for its problems and sums only. */
  inspect(place: SourcePlace): Promise<ScanResult> {
    return scanPlace(this, place, this.policyFor(place), false);
  }

  /** Surveys a place for what lists show of it. @param known the result for the same place at another time */
  summarise(place: SourcePlace, known: DeclaredSummary | undefined): Promise<SummarisedPlace> {
    return summarisePlace(this, place, this.policyFor(place), known);
  }

  /** Returns the fingerprint of a place as it is now. */
  fingerprint(place: SourcePlace, signal: AbortSignal): Promise<Pick<ScanResult, 'fingerprint' | 'changedAt'>> {
    return fingerprintPlace(this.source, place, { symlinks: this.settings.SYMLINKS, signal });
  }

  private policyFor(place: SourcePlace, signal?: AbortSignal): ScanPolicy {
    const { SYMLINKS, HARD_LINKS, NAMES } = this.settings;
    const refusal = (entry: SourceEntry): Problem | undefined => this.storage.refusalOf(place, entry);
    return { symlinks: SYMLINKS, hardLinks: HARD_LINKS, names: NAMES, refusal, ...(signal && { signal }) };
  }
}
