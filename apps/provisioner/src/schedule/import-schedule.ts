import { Injectable } from '@nestjs/common';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { readRecord, Records } from '../model/records.js';
import type { ImportAllReport } from './import-all-report.js';

/** Where the schedule is below `data/`: like everything we must not forget, in storage. */
const ruleFile = '.requests/schedule/rule.json';
const lastRunFile = '.requests/schedule/last-run.json';

/** What somebody has set over HTTP, in place of the setting. */
export interface StoredRule {
  /** A cron pattern in UTC; null for never. */
  readonly cron: string | null;
  readonly changed_by: string;
  readonly changed_at: string;
}

/** When everything in the diff is imported. */
export interface ImportRule extends Partial<StoredRule> {
  readonly cron: string | null;
  /** Whether it is what `IMPORT_CRON` says, or what somebody has set since. */
  readonly origin: 'setting' | 'stored';
}

/** What the last run came to: its report without the list of what it queued. */
export type LastRun = Omit<ImportAllReport, 'queued'> & { readonly queued: number };

/** Keeps when everything in the diff is imported, and what the last time came to. */
@Injectable()
export class ImportSchedule {
  constructor(
    private readonly records: Records,
    private readonly settings: ProvisionerSettings,
  ) {}

  /** The rule that holds: what was set over HTTP, else the setting. */
  async rule(): Promise<ImportRule> {
    const stored = await readRecord<StoredRule>(this.records, ruleFile);
    return stored ? { ...stored, origin: 'stored' } : { cron: this.settings.IMPORT_CRON ?? null, origin: 'setting' };
  }

  /** Sets another rule, which survives restarts and an emptied queue. */
  async set(cron: string | null, changed_by: string): Promise<void> {
    const rule: StoredRule = { cron, changed_by, changed_at: new Date().toISOString() };
    await this.records.write(ruleFile, `${JSON.stringify(rule, null, 2)}\n`);
  }

  /** Goes back to the setting. */
  async reset(): Promise<void> {
    await this.records.remove(ruleFile);
  }

  lastRun(): Promise<LastRun | null> {
    return readRecord<LastRun>(this.records, lastRunFile);
  }

  async recordRun({ queued, ...report }: ImportAllReport): Promise<void> {
    const last: LastRun = { ...report, queued: queued.length };
    await this.records.write(lastRunFile, `${JSON.stringify(last, null, 2)}\n`);
  }
}
