import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RepeatingJob } from '../../platform/jobs/repeating-job.js';
import { DocumentsSettings } from './documents.settings.js';

/** The time between two sweeps. */
const intervalMs = 3_600_000;

/** The maximum number of rows that one transaction removes. */
const batchSize = 1_000;

const removeOld = `
  WITH old AS (
    SELECT list, record_id, view FROM view_records
    WHERE digest IS NULL AND changed_at < now() - make_interval(days => $1)
    ORDER BY changed_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM view_records AS kept USING old
  WHERE (kept.list, kept.record_id, kept.view) = (old.list, old.record_id, old.view)`;

/**
 * Removes the rows of withdrawn records after `WITHDRAWN_RETENTION_DAYS`. A harvester that pauses for longer must read
 * all records again. Replicas share the work.
 */
@Injectable()
export class WithdrawnSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly job = new RepeatingJob(WithdrawnSweep.name, intervalMs, () => this.sweep());
  private readonly days: number;

  constructor(
    private readonly dataSource: DataSource,
    settings: DocumentsSettings,
  ) {
    this.days = settings.WITHDRAWN_RETENTION_DAYS;
  }

  onApplicationBootstrap(): void {
    this.job.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.job.stop();
  }

  /** Removes every row that has reached the retention time. */
  async sweep(): Promise<void> {
    let removed = batchSize;
    while (removed === batchSize) {
      [, removed] = await this.dataSource.query<[unknown, number]>(removeOld, [this.days, batchSize]);
    }
  }
}
