import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Cron } from 'croner';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import { AccountSyncService } from './account-sync.service.js';

/** Synchronises all accounts at the times of `IDP_SYNC_CRON`. One replica runs each synchronisation. */
@Injectable()
export class AccountSyncSchedule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(AccountSyncSchedule.name);
  private cron: Cron | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly settings: CatalogSettings,
    private readonly service: AccountSyncService,
  ) {}

  onApplicationBootstrap(): void {
    const pattern = this.settings.IDP_SYNC_CRON;
    if (pattern === undefined) return;
    this.cron = new Cron(pattern, { timezone: 'UTC', protect: true }, (cron) => {
      this.running = this.synchronise(startOfSecond(cron.currentRun() ?? new Date()));
      return this.running;
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.cron?.stop();
    await this.running;
  }

  private async synchronise(at: Date): Promise<void> {
    try {
      const { conflicts, ...numbers } = await this.service.runScheduled(at);
      this.logger.log({ msg: 'accounts synchronised', ...numbers, conflicts: conflicts.length });
    } catch (error) {
      this.logger.warn(`scheduled synchronisation failed: ${String(error)} (retrying at the next scheduled time)`);
    }
  }
}

/** Returns the scheduled second of a run, because a timer fires some milliseconds late. */
function startOfSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000);
}
