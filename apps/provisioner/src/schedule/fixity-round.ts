import { Injectable } from '@nestjs/common';
import { ImportRequests } from '../imports/import-requests.js';
import { RequestLog } from '../model/request-log.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { CommitHead } from '../model/commit.js';
import { Storage } from '../model/storage.js';
import { dayOf, FixityLog, type Credit } from '../fixity/fixity-log.js';

const dayMs = 86_400_000;

/** The part of the period in which all datasets are verified, so that delayed verifications are still in time. */
const usedShare = 0.9;

/** The priority of verifications, which run after every import. */
const verificationPriority = 1000;

/** The progress of the verifications. */
export interface FixityState {
  /** `FIXITY_DAYS`; null if datasets are not verified periodically. */
  readonly days: number | null;
  readonly datasets: number;
  /** The number of datasets that were imported or verified within these days. */
  readonly in_time: number;
  /** The earliest day on which a dataset was last imported or verified. */
  readonly oldest: string | null;
  /** Datasets whose latest verification found a difference or failed. */
  readonly differing: readonly { readonly dataset_id: string; readonly import_id: string }[];
}

/**
 * The round of periodic verifications. It verifies every imported dataset within `FIXITY_DAYS` days. The bytes to verify
 * grow evenly with the time, and the dataset with the oldest verification or import comes first.
 */
@Injectable()
export class FixityRound {
  constructor(
    private readonly storage: Storage,
    private readonly log: RequestLog,
    private readonly requests: ImportRequests,
    private readonly fixity: FixityLog,
    private readonly settings: ProvisionerSettings,
  ) {}

  /** Submits the verifications that are due. A repeated call submits no verification again. */
  async run(now = new Date()): Promise<void> {
    const { FIXITY_DAYS: days } = this.settings;
    if (days === undefined) return;
    const commits = [...(await this.storage.commits('dataset')).bySubject.values()];
    const total = commits.reduce((sum, commit) => sum + weightOf(commit), 0);
    const previous = await this.fixity.credit();
    let credit = creditOf(previous, now, total / (days * usedShare * dayMs), total);
    for (const commit of credit > 0 ? await this.candidates(commits, now) : []) {
      if (credit <= 0) break;
      const options = { requested_by: 'fixity', requested_from: 'schedule', priority: verificationPriority };
      await this.requests.enqueue('verify', { kind: 'dataset', id: commit.id }, options);
      credit -= weightOf(commit);
    }
    // The time never decreases, so that no byte becomes due again after the clock was set back.
    const at = [previous?.at ?? '', now.toISOString()].sort().at(-1) ?? '';
    await this.fixity.saveCredit({ at, bytes: credit });
    await this.fixity.removeBefore(dayOf(new Date(now.getTime() - 2 * days * dayMs)));
  }

  /** Returns the progress of the verifications. */
  async state(now = new Date()): Promise<FixityState> {
    const { FIXITY_DAYS: days = null } = this.settings;
    const [{ bySubject: commits }, last, { bySubject: failures }] = await Promise.all([
      this.storage.commits('dataset'),
      this.fixity.lastChecks(),
      this.log.lastFailures('verify'),
    ]);
    const checkedDays = [...commits.values()].map((commit) => lastChecked(commit, last)).sort();
    const since = days === null ? '' : dayOf(new Date(now.getTime() - days * dayMs));
    return {
      days,
      datasets: checkedDays.length,
      in_time: days === null ? 0 : checkedDays.filter((day) => day >= since).length,
      oldest: checkedDays[0] ?? null,
      differing: [...failures]
        .filter(([dataset_id, { state }]) => state === 'failed' && commits.has(dataset_id))
        .map(([dataset_id, { id }]) => ({ dataset_id, import_id: id })),
    };
  }

  /** Lists the datasets that were not checked today, the longest unchecked first. */
  private async candidates(commits: readonly CommitHead[], now: Date): Promise<CommitHead[]> {
    const [last, { bySubject: open }] = await Promise.all([this.fixity.lastChecks(), this.log.openRequests('verify')]);
    const today = dayOf(now);
    return commits
      .map((commit) => ({ commit, day: lastChecked(commit, last) }))
      .filter(({ commit, day }) => day < today && !open.has(commit.id))
      .sort((one, other) => (one.day + one.commit.id < other.day + other.commit.id ? -1 : 1))
      .map(({ commit }) => commit);
  }
}

/** Returns the day of the last verification of a dataset. An import counts as a verification. */
function lastChecked({ id, imported_at }: CommitHead, last: ReadonlyMap<string, string>): string {
  const imported = dayOf(new Date(imported_at));
  const checked = last.get(id) ?? '';
  return checked > imported ? checked : imported;
}

/** Returns the cost of a verification in bytes, which includes a cost for each file and each dataset. */
function weightOf({ bytes, files }: CommitHead): number {
  return bytes + files * 4096 + 1;
}

/** Returns the bytes that are due: the previous rest and the bytes since the previous round, at most the total. */
function creditOf(previous: Credit | null, now: Date, bytesPerMs: number, total: number): number {
  if (!previous) return 0;
  const elapsedMs = Math.max(0, now.getTime() - Date.parse(previous.at));
  return Math.min(total, previous.bytes + elapsedMs * bytesPerMs);
}
