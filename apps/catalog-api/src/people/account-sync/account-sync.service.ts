import { Injectable } from '@nestjs/common';
import type { CallerRule, Principal } from '@rdc/auth';
import type { EntityManager, QueryRunner } from 'typeorm';
import { requireCaller } from '../../platform/administration/require-caller.js';
import { StoredDocuments } from '../../publishing/documents/stored-documents.js';
import { AccountStaging, type StagingResult, type UnlistedUser } from './account-staging.js';
import { AccountSyncMetrics } from './account-sync.metrics.js';
import { IdentityProvider } from '../identity-provider/identity-provider.js';
import { IdentityProviderOffError } from '../identity-provider/no.provider.js';
import { prefetch } from '../identity-provider/prefetch.js';
import { SingleFlight } from './single-flight.js';
import type { SyncConflict, SyncRehearsal, SyncReport } from './sync-report.js';

/** The number and the share of missing accounts above which a confirmation is required, because a mistake is likely. */
const maxUnlisted = 10;
const maxUnlistedShare = 0.1;

/** The callers that synchronise accounts. */
export const synchronisers = ['global', 'session:admin', 'scope:idp:sync'] as const satisfies readonly CallerRule[];

/** Synchronises users with the accounts of the identity provider. */
@Injectable()
export class AccountSyncService {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly flight: SingleFlight,
    private readonly documents: StoredDocuments,
    private readonly metrics: AccountSyncMetrics,
  ) {}

  /**
   * Synchronises all accounts now. If a synchronisation is running on any replica, waits and returns its report.
   *
   * All accounts are fetched first, and one transaction applies them. If the provider fails, no user changes.
   *
   * @param confirmed whether many people may be deactivated
   * @throws IdentityProviderOffError if no provider is configured
   * @throws DependencyDownError if the provider does not answer; no user was changed
   */
  async force(caller: Principal, confirmed: boolean): Promise<SyncReport> {
    requireCaller(caller, synchronisers);
    if (this.provider.name === 'none') throw new IdentityProviderOffError();
    return this.flight.run(confirmed, (runner) => this.metrics.watch(this.report(runner, confirmed)));
  }

  /**
   * Rehearses a synchronisation that may deactivate many people, and changes nothing. Waits for a running one.
   *
   * @throws IdentityProviderOffError if no provider is configured
   * @throws DependencyDownError if the provider does not answer
   */
  async rehearse(caller: Principal): Promise<SyncRehearsal> {
    requireCaller(caller, synchronisers);
    if (this.provider.name === 'none') throw new IdentityProviderOffError();
    return this.flight.alone(async (runner) => {
      const { report, result } = await this.synchronise(runner, true, 'rollback');
      return { dry_run: true, ...report, deactivations: result.deactivatedPeople };
    });
  }

  /**
   * Synchronises all accounts, unless a synchronisation ended at or after the given instant. If several replicas call this
   * method, one synchronises. If that replica fails, the next replica tries.
   *
   * @throws DependencyDownError if the provider does not answer; no user was changed
   */
  async runScheduled(at: Date): Promise<SyncReport> {
    return this.flight.run(false, (runner) => this.metrics.watch(this.report(runner, false)), at);
  }

  private async report(runner: QueryRunner, confirmed: boolean): Promise<SyncReport> {
    return (await this.synchronise(runner, confirmed, 'commit')).report;
  }

  private async synchronise(
    runner: QueryRunner,
    confirmed: boolean,
    end: TransactionEnd,
  ): Promise<{ report: SyncReport; result: StagingResult }> {
    const startedAt = performance.now();
    const staging = new AccountStaging(runner.manager);
    await staging.open();
    try {
      let fetched = 0;
      for await (const accounts of prefetch(this.provider.listAccounts())) {
        await staging.add(accounts);
        fetched += accounts.length;
      }
      await staging.complete();
      const { gone, doubts } = await this.findGone(staging, confirmed);
      const result = await this.importStaged(runner, staging, gone, end);
      const conflicts = [...doubts, ...result.conflicts];
      return { report: toReport(this.provider.name, fetched, { ...result, conflicts }, startedAt), result };
    } finally {
      await staging.close();
    }
  }

  private async importStaged(
    runner: QueryRunner,
    staging: AccountStaging,
    gone: readonly number[],
    end: TransactionEnd,
  ): Promise<StagingResult> {
    return inTransaction(runner, end, async (manager) => {
      const result = await staging.apply(gone);
      if (end === 'commit' && result.changedUsers.length > 0)
        await this.documents.refresh(manager, { users: result.changedUsers });
      return result;
    });
  }

  /**
   * Returns the ids of users whose account no longer exists. A list that changes between two pages omits accounts, so each
   * account that was not listed is requested by its id. If the account exists, it is staged.
   */
  private async findGone(
    staging: AccountStaging,
    confirmed: boolean,
  ): Promise<{ gone: number[]; doubts: SyncConflict[] }> {
    const { unlisted, linked } = await staging.findUnlisted();
    if (!confirmed && unlisted.length >= maxUnlisted && unlisted.length > linked * maxUnlistedShare) {
      return { gone: [], doubts: [tooManyUnlisted(unlisted, linked)] };
    }
    const gone: number[] = [];
    for (const { id, subject } of unlisted) {
      const account = await this.provider.findAccount(subject);
      if (account) await staging.add([account]);
      else gone.push(id);
    }
    return { gone, doubts: [] };
  }
}

function tooManyUnlisted(unlisted: readonly UnlistedUser[], linked: number): SyncConflict {
  const reason = `${String(unlisted.length)} of ${String(linked)} people would be deactivated: repeat the request with ?confirm=true to allow this`;
  return { subject: null, reason };
}

/** The end of a transaction whose work succeeded. */
type TransactionEnd = 'commit' | 'rollback';

async function inTransaction<T>(
  runner: QueryRunner,
  end: TransactionEnd,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  await runner.startTransaction();
  try {
    const result = await work(runner.manager);
    await (end === 'commit' ? runner.commitTransaction() : runner.rollbackTransaction());
    return result;
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

function toReport(provider: string, fetched: number, result: StagingResult, startedAt: number): SyncReport {
  const { created, updated, unchanged, deactivated, skipped, conflicts } = result;
  const duration_ms = Math.round(performance.now() - startedAt);
  return { provider, fetched, created, updated, unchanged, deactivated, skipped, conflicts, duration_ms };
}
