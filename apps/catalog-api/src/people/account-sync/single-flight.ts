import { Injectable } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';
import { advisoryLocks } from '../../platform/database/advisory-locks.js';
import type { SyncReport } from './sync-report.js';

/** Runs one synchronisation at a time, over all replicas. */
@Injectable()
export class SingleFlight {
  private flights = new Map<boolean, Promise<SyncReport>>();

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs the work. If the work is running, waits and returns its report. If that run fails, a caller that waited runs the
   * work again.
   *
   * @param confirmed whether the run is confirmed; a confirmed caller never joins an unconfirmed run
   * @param work the work, with the connection that holds the lock
   * @param freshSince if a report at or after this instant exists, the report is returned and the work is not run
   */
  run(
    confirmed: boolean,
    work: (runner: QueryRunner) => Promise<SyncReport>,
    freshSince: Date | null = null,
  ): Promise<SyncReport> {
    const running = this.flights.get(true) ?? this.flights.get(confirmed);
    if (running) return running;
    const flight = this.acrossReplicas(confirmed, work, freshSince).finally(() => this.flights.delete(confirmed));
    this.flights.set(confirmed, flight);
    return flight;
  }

  /** Runs other work, while no synchronisation runs on any replica. */
  async alone<T>(work: (runner: QueryRunner) => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.query('SELECT pg_advisory_lock($1)', [advisoryLocks.synchroniseAccounts]);
      return await work(runner);
    } finally {
      await release(runner);
    }
  }

  private async acrossReplicas(
    confirmed: boolean,
    work: (runner: QueryRunner) => Promise<SyncReport>,
    freshSince: Date | null,
  ): Promise<SyncReport> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const existing = await lock(runner, confirmed, freshSince);
      if (existing) return existing;
      const report = await work(runner);
      await saveReport(runner, confirmed, report);
      return report;
    } finally {
      await release(runner);
    }
  }
}

/** Releases the locks of a connection, and the connection. */
async function release(runner: QueryRunner): Promise<void> {
  if (!runner.isReleased) await runner.query('SELECT pg_advisory_unlock_all()').catch(() => undefined);
  await runner.release();
}

/** Acquires the lock. Returns the report of a run that ended in the meantime or is recent enough; null if there is none. */
async function lock(runner: QueryRunner, confirmed: boolean, freshSince: Date | null): Promise<SyncReport | null> {
  const [{ calledAt, free }] = (await runner.query(
    'SELECT clock_timestamp()::text AS "calledAt", pg_try_advisory_lock($1) AS free',
    [advisoryLocks.synchroniseAccounts],
  )) as [{ calledAt: string; free: boolean }];
  if (!free) await runner.query('SELECT pg_advisory_lock($1)', [advisoryLocks.synchroniseAccounts]);
  else if (!freshSince) return null;
  const [finished] = (await runner.query(
    'SELECT report FROM account_syncs WHERE finished_at >= $1 AND (confirmed OR NOT $2) ORDER BY id DESC LIMIT 1',
    [freshSince ?? calledAt, confirmed],
  )) as { report: SyncReport }[];
  return finished?.report ?? null;
}

async function saveReport(runner: QueryRunner, confirmed: boolean, report: SyncReport): Promise<void> {
  await runner.query(
    `WITH previous AS (DELETE FROM account_syncs)
     INSERT INTO account_syncs (finished_at, confirmed, report) VALUES (clock_timestamp(), $1, $2)`,
    [confirmed, JSON.stringify(report)],
  );
}
