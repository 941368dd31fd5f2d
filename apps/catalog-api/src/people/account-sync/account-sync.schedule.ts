import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { nextCronTime } from '@rdc/settings';
import { setTimeout as pause } from 'node:timers/promises';
import { IdentityProviderSettings } from '../identity-provider/identity-provider.settings.js';
import { AccountSyncService } from './account-sync.service.js';

/** The longest single wait. After each wait the clock is read again, because an operator may have set the clock. */
const maxWaitMs = 60_000;

/**
 * Synchronises all accounts at the times of `IDP_SYNC_CRON`. If several replicas run, one of them synchronises. A time
 * that passes during a synchronisation is skipped.
 */
@Injectable()
export class AccountSyncSchedule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(AccountSyncSchedule.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly settings: IdentityProviderSettings,
    private readonly service: AccountSyncService,
  ) {}

  onApplicationBootstrap(): void {
    const pattern = this.settings.IDP_SYNC_CRON;
    if (pattern !== undefined) this.running = this.run(pattern);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(pattern: string): Promise<void> {
    const { signal } = this.stopping;
    let next = nextCronTime(pattern);
    while (!signal.aborted) {
      const waitMs = next.getTime() - Date.now();
      if (waitMs > 0) {
        await pause(Math.min(waitMs, maxWaitMs), undefined, { signal }).catch(() => undefined);
        continue;
      }
      await this.synchronise(next);
      next = nextCronTime(pattern);
    }
  }

  private async synchronise(at: Date): Promise<void> {
    try {
      const { conflicts, ...numbers } = await this.service.runScheduled(at);
      this.logger.log({ msg: 'accounts synchronised', ...numbers, conflicts: conflicts.length });
    } catch (error) {
      this.logger.warn(
        `scheduled account synchronisation failed: ${String(error)} (next attempt at the next scheduled time)`,
      );
    }
  }
}
