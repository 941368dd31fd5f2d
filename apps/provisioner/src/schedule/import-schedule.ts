import { Injectable } from '@nestjs/common';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { readRecord, Records } from '../model/records.js';
import type { ImportAllReport } from './import-all-report.js';

const ruleFile = '.requests/schedule/rule.json';
const lastRunFile = '.requests/schedule/last-run.json';

/** A rule that was set over HTTP and replaces the setting `IMPORT_CRON`. */
export interface StoredRule {
  /** The cron pattern in UTC; null if the diff is never imported. */
  readonly cron: string | null;
  readonly changed_by: string;
  readonly changed_at: string;
}

/** The rule that applies to imports of the whole diff. */
export interface ImportRule extends Partial<StoredRule> {
  readonly cron: string | null;
  /** The origin of the rule: the setting `IMPORT_CRON`, or a rule that was set over HTTP. */
  readonly origin: 'setting' | 'stored';
}

/** The report of the last run, with the number of queued imports in place of their list. */
export type LastRun = Omit<ImportAllReport, 'queued'> & { readonly queued: number };

/** The stored schedule of imports of the whole diff, with the report of the last run. */
@Injectable()
export class ImportSchedule {
  constructor(
    private readonly records: Records,
    private readonly settings: ProvisionerSettings,
  ) {}

  /** Returns the rule that was set over HTTP, or otherwise the setting. */
  async rule(): Promise<ImportRule> {
    const stored = await readRecord<StoredRule>(this.records, ruleFile);
    return stored ? { ...stored, origin: 'stored' } : { cron: this.settings.IMPORT_CRON ?? null, origin: 'setting' };
  }

  /** Stores a rule, which survives restarts and the loss of the queue. */
  async set(cron: string | null, changed_by: string): Promise<void> {
    const rule: StoredRule = { cron, changed_by, changed_at: new Date().toISOString() };
    await this.records.write(ruleFile, `${JSON.stringify(rule, null, 2)}\n`);
  }

  /** Removes the stored rule, so that the setting applies. */
  async reset(): Promise<void> {
    await this.records.remove(ruleFile);
  }

  /** Returns the report of the last run, or null before the first run. */
  lastRun(): Promise<LastRun | null> {
    return readRecord<LastRun>(this.records, lastRunFile);
  }

  async recordRun({ queued, ...report }: ImportAllReport): Promise<void> {
    const last: LastRun = { ...report, queued: queued.length };
    await this.records.write(lastRunFile, `${JSON.stringify(last, null, 2)}\n`);
  }
}
