import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RepeatingJob } from '../../platform/jobs/repeating-job.js';
import { DocumentsSettings } from './documents.settings.js';

/** The time between two sweeps. */
const intervalMs = 3_600_000;

/** The maximum number of rows that one transaction removes. */
const batchSize = 1_000;

/** Stores the new limit before a row is removed, so that a reader who misses a row also sees the limit. */
const moveLimit = `
  UPDATE document_state SET swept_until = greatest(swept_until, now() - make_interval(days => $1))`;

/**
 * Removes rows one hour after the limit: a transaction may commit a withdrawal some time after the instant of the
 * withdrawal, and a cursor of that time may be used until the limit.
 */
const removeOld = `
  WITH old AS (
    SELECT list, record_id, view FROM view_records
    WHERE digest IS NULL
      AND changed_at < (SELECT swept_until FROM document_state) - interval '1 hour'
    ORDER BY changed_at LIMIT $1 FOR UPDATE SKIP LOCKED
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
    await this.dataSource.query(moveLimit, [this.days]);
    let removed = batchSize;
    while (removed === batchSize) {
      [, removed] = await this.dataSource.query<[unknown, number]>(removeOld, [batchSize]);
    }
  }
}
