import { Injectable } from '@nestjs/common';
import { ImportRequests } from '../imports/import-requests.js';
import { RequestLog } from '../model/request-log.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { CommitHead } from '../model/commit.js';
import { Storage } from '../model/storage.js';
import { dayOf, FixityLog, type Credit } from '../fixity/fixity-log.js';

const dayMs = 86_400_000;

/** A little faster than asked for, so that what a round cannot do on its day is still in time. */
const headroom = 0.9;

/** Verifications wait behind every import. */
const lastPriority = 1000;

/** How far the verifications are. */
export interface FixityState {
  /** `FIXITY_DAYS`; null when nothing is verified by itself. */
  readonly days: number | null;
  readonly datasets: number;
  /** Those imported or verified within these days. */
  readonly in_time: number;
  /** The day of the verification, or else the import, that is the longest ago. */
  readonly oldest: string | null;
  /** Datasets in which the latest verification found a difference, or could not end. */
  readonly differing: readonly { readonly dataset_id: string; readonly import_id: string }[];
}

/**
 * Verifies every imported dataset within `FIXITY_DAYS` days, spread evenly: bytes become due as time passes, in
 * proportion to all that is stored, and those whose verification or import is the longest ago go first.
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

  /** Asks for the verifications that are due now. Called twice it asks for nothing twice. */
  async run(now = new Date()): Promise<void> {
    const { FIXITY_DAYS: days } = this.settings;
    if (days === undefined) return;
    const commits = [...(await this.storage.commits('dataset')).byId.values()];
    const total = commits.reduce((sum, commit) => sum + weightOf(commit), 0);
    const former = await this.fixity.credit();
    let credit = creditOf(former, now, total / (days * headroom * dayMs), total);
    for (const commit of credit > 0 ? await this.waiting(commits, now) : []) {
      if (credit <= 0) break;
      const asking = { requested_by: 'fixity', requested_from: 'schedule', priority: lastPriority };
      await this.requests.open('verify', commit.id, asking);
      credit -= weightOf(commit);
    }
    // A clock that was set back makes nothing due twice.
    const at = [former?.at ?? '', now.toISOString()].sort().at(-1) ?? '';
    await this.fixity.saveCredit({ at, bytes: credit });
    await this.fixity.removeBefore(dayOf(new Date(now.getTime() - 2 * days * dayMs)));
  }

  /** How far the verifications are. */
  async state(now = new Date()): Promise<FixityState> {
    const { FIXITY_DAYS: days = null } = this.settings;
    const [{ byId: commits }, last, { bySubject: failures }] = await Promise.all([
      this.storage.commits('dataset'),
      this.fixity.lastChecks(),
      this.log.lastFailures('verify'),
    ]);
    const seen = [...commits.values()].map((commit) => lastSeen(commit, last)).sort();
    const since = days === null ? '' : dayOf(new Date(now.getTime() - days * dayMs));
    return {
      days,
      datasets: seen.length,
      in_time: days === null ? 0 : seen.filter((day) => day >= since).length,
      oldest: seen[0] ?? null,
      differing: [...failures]
        .filter(([dataset_id, { state }]) => state === 'failed' && commits.has(dataset_id))
        .map(([dataset_id, { id }]) => ({ dataset_id, import_id: id })),
    };
  }

  /** What may be verified today, the longest ago first. */
  private async waiting(commits: readonly CommitHead[], now: Date): Promise<CommitHead[]> {
    const [last, { bySubject: open }] = await Promise.all([this.fixity.lastChecks(), this.log.openRequests('verify')]);
    const today = dayOf(now);
    return commits
      .map((commit) => ({ commit, day: lastSeen(commit, last) }))
      .filter(({ commit, day }) => day < today && !open.has(commit.id))
      .sort((one, other) => (one.day + one.commit.id < other.day + other.commit.id ? -1 : 1))
      .map(({ commit }) => commit);
  }
}

/** The day on which a dataset's bytes were last known to be right: it is read whole when it is imported, too. */
function lastSeen({ id, imported_at }: CommitHead, last: ReadonlyMap<string, string>): string {
  const imported = dayOf(new Date(imported_at));
  const checked = last.get(id) ?? '';
  return checked > imported ? checked : imported;
}

/** A file costs more than its bytes; an empty dataset still something. */
function weightOf({ bytes, files }: CommitHead): number {
  return bytes + files * 4096 + 1;
}

/** Bytes that may be verified: what became due since it was last counted, and what was left then. Never more than all. */
function creditOf(former: Credit | null, now: Date, bytesPerMs: number, total: number): number {
  if (!former) return 0;
  const elapsedMs = Math.max(0, now.getTime() - Date.parse(former.at));
  return Math.min(total, former.bytes + elapsedMs * bytesPerMs);
}
