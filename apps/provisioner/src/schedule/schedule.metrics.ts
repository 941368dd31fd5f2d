import { Injectable } from '@nestjs/common';
import { addReading } from '@rdc/http';
import { nextCronTime } from '@rdc/settings';
import { Registry } from 'prom-client';
import { ImportSchedule } from './import-schedule.js';

@Injectable()
export class ScheduleMetrics {
  private readonly startedAt = new Date().toISOString();

  constructor(
    private readonly schedule: ImportSchedule,
    registry: Registry,
  ) {
    addReading(registry, {
      name: 'provisioner_schedule_overdue_seconds',
      help: 'Delay of the next scheduled import of the diff; 0 if it is in time or none is scheduled.',
      read: () => this.overdueSeconds(),
    });
    addReading(registry, {
      name: 'provisioner_schedule_last_run',
      help: 'Last import of the diff: queued imports, skipped datasets and submissions, and whether it failed (1).',
      label: 'outcome',
      read: () => this.lastRun(),
    });
  }

  /** Counts from the latest of three times: the last run, the last change of the rule, and the start of this process. */
  private async overdueSeconds(): Promise<number> {
    const [{ cron, changed_at = '' }, last] = await Promise.all([this.schedule.rule(), this.schedule.lastRun()]);
    if (cron === null) return 0;
    const [since = this.startedAt] = [this.startedAt, changed_at, last?.started_at ?? ''].sort().reverse();
    return Math.max(0, (Date.now() - nextCronTime(cron, new Date(since)).getTime()) / 1000);
  }

  private async lastRun(): Promise<Record<string, number>> {
    const last = await this.schedule.lastRun();
    if (!last) return {};
    const skipped = Object.values(last.skipped).reduce((sum, count) => sum + count, 0);
    return { queued: last.queued, skipped, failed: last.error === null ? 0 : 1 };
  }
}
