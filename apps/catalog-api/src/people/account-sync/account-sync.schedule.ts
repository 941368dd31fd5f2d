import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Cron } from 'croner';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import { AccountSyncService } from './account-sync.service.js';

/** Synchronises all accounts when `IDP_SYNC_CRON` says so, once whatever the number of replicas. */
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
      this.logger.log({ msg: 'Accounts are synchronised', ...numbers, conflicts: conflicts.length });
    } catch (error) {
      this.logger.warn(`The scheduled synchronisation failed; the next one comes. ${String(error)}`);
    }
  }
}

/** A schedule counts in seconds; a timer is late by a little. */
function startOfSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000);
}
