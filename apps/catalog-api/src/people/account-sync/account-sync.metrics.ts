import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import type { SyncReport } from './sync-report.js';

const outcomes = ['created', 'updated', 'unchanged', 'deactivated', 'skipped'] as const;

/** Metrics of the synchronisations that this process ran. */
@Injectable()
export class AccountSyncMetrics {
  private readonly runs: Counter<'result'>;
  private readonly accounts: Counter<'outcome'>;
  private readonly conflicts: Gauge;
  private readonly lastSuccess: Gauge;
  private readonly lastFailure: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.runs = new Counter({
      ...{ name: 'catalog_account_syncs_total', help: 'Synchronisations of all accounts, by result.', registers },
      labelNames: ['result'],
    });
    this.accounts = new Counter({
      ...{ name: 'catalog_account_sync_accounts_total', help: 'Synchronised accounts, by outcome.', registers },
      labelNames: ['outcome'],
    });
    this.conflicts = new Gauge({
      ...{ name: 'catalog_account_sync_conflicts', help: 'Conflicts of the last synchronisation.', registers },
    });
    this.lastSuccess = new Gauge({
      name: 'catalog_account_sync_last_success_timestamp_seconds',
      help: 'When the last synchronisation succeeded, in seconds of the Unix epoch; 0 if none has succeeded since the start.',
      registers,
    });
    this.lastFailure = new Gauge({
      name: 'catalog_account_sync_last_failure_timestamp_seconds',
      help: 'When the last synchronisation failed, in seconds of the Unix epoch; 0 if none has failed since the start.',
      registers,
    });
    for (const result of ['success', 'failure']) this.runs.inc({ result }, 0);
    for (const outcome of outcomes) this.accounts.inc({ outcome }, 0);
  }

  /** Counts a synchronisation by its result. */
  async watch(run: Promise<SyncReport>): Promise<SyncReport> {
    try {
      const report = await run;
      this.runs.inc({ result: 'success' });
      for (const outcome of outcomes) this.accounts.inc({ outcome }, report[outcome]);
      this.conflicts.set(report.conflicts.length);
      this.lastSuccess.setToCurrentTime();
      return report;
    } catch (error) {
      this.runs.inc({ result: 'failure' });
      this.lastFailure.setToCurrentTime();
      throw error;
    }
  }
}
