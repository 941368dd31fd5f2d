import { Injectable } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';
import { advisoryLocks } from '../../platform/database/advisory-locks.js';
import type { SyncReport } from './sync-report.js';

/** One synchronisation at a time, whichever replica runs it. */
@Injectable()
export class SingleFlight {
  private joined = new Map<boolean, Promise<SyncReport>>();

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Does the work, or, while it is being done, waits and gives its report. Work that failed is done again by whoever
   * waited for it.
   *
   * @param confirmed joined by callers who did not confirm too, but never joins work that was not confirmed
   * @param work is given the connection that holds the lock
   * @param notSince a report of that moment or later will do, so that nothing is done
   */
  run(
    confirmed: boolean,
    work: (runner: QueryRunner) => Promise<SyncReport>,
    notSince: Date | null = null,
  ): Promise<SyncReport> {
    const running = this.joined.get(true) ?? this.joined.get(confirmed);
    if (running) return running;
    const flight = this.acrossReplicas(confirmed, work, notSince).finally(() => this.joined.delete(confirmed));
    this.joined.set(confirmed, flight);
    return flight;
  }

  private async acrossReplicas(
    confirmed: boolean,
    work: (runner: QueryRunner) => Promise<SyncReport>,
    notSince: Date | null,
  ): Promise<SyncReport> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const others = await lock(runner, confirmed, notSince);
      if (others) return others;
      const report = await work(runner);
      await saveReport(runner, confirmed, report);
      return report;
    } finally {
      if (!runner.isReleased) await runner.query('SELECT pg_advisory_unlock_all()').catch(() => undefined);
      await runner.release();
    }
  }
}

/** Takes the lock; gives the report that was waited for, or that is recent enough, if there is one. */
async function lock(runner: QueryRunner, confirmed: boolean, notSince: Date | null): Promise<SyncReport | null> {
  const [{ came, free }] = (await runner.query(
    'SELECT clock_timestamp()::text AS came, pg_try_advisory_lock($1) AS free',
    [advisoryLocks.synchroniseAccounts],
  )) as [{ came: string; free: boolean }];
  if (!free) await runner.query('SELECT pg_advisory_lock($1)', [advisoryLocks.synchroniseAccounts]);
  else if (!notSince) return null;
  const [finished] = (await runner.query(
    'SELECT report FROM account_syncs WHERE finished_at >= $1 AND (confirmed OR NOT $2) ORDER BY id DESC LIMIT 1',
    [notSince ?? came, confirmed],
  )) as { report: SyncReport }[];
  return finished?.report ?? null;
}

async function saveReport(runner: QueryRunner, confirmed: boolean, report: SyncReport): Promise<void> {
  await runner.query(
    `WITH former AS (DELETE FROM account_syncs)
     INSERT INTO account_syncs (finished_at, confirmed, report) VALUES (clock_timestamp(), $1, $2)`,
    [confirmed, JSON.stringify(report)],
  );
}
