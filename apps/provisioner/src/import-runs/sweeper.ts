import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PeriodicTask } from '@rdc/http';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { Leftover } from '../model/leftover.js';
import { Storage } from '../model/storage.js';
import { RequestLog } from '../model/request-log.js';
import { waitAtMost } from '../concurrency/wait-at-most.js';

const everyMs = 60 * 60_000;

/** What was touched within this time may be somebody's who has only just begun. */
const restMs = 60 * 60_000;

const dayMs = 24 * 60 * 60_000;

/** Removes, now and then, what killed processes have left in storage and no import needs. */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Sweeper.name);
  private readonly rounds = new PeriodicTask(
    () => this.sweep(),
    everyMs,
    (error) => {
      this.logger.warn(`could not look for what is left: ${String(error)}`);
    },
  );

  constructor(
    private readonly storage: Storage,
    private readonly log: RequestLog,
    private readonly settings: ProvisionerSettings,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await waitAtMost(this.rounds.stop());
  }

  /** @returns the names of what was removed */
  async sweep(now = Date.now()): Promise<readonly string[]> {
    const removed: string[] = [];
    for await (const leftover of this.storage.leftovers()) {
      try {
        if (!(await this.isOrphan(leftover, now)) || !(await leftover.remove())) continue;
      } catch (error) {
        // What resists keeps nothing else.
        this.logger.warn(`could not remove what is left: ${leftover.name}: ${String(error)}`);
        continue;
      }
      this.logger.warn(`removed what was left: ${leftover.name}`);
      removed.push(leftover.name);
    }
    return removed;
  }

  /** An open import goes on with what it has, however old; a failed one for some days, should it be tried again. */
  private async isOrphan({ subject, importId, touchedAt }: Leftover, now: number): Promise<boolean> {
    if (now - touchedAt < restMs) return false;
    if (importId !== undefined) return !(await this.isOpen(importId));
    if (!subject) return true;
    if (await this.log.findOpen(subject.kind, subject.id)) return false;
    const last = await this.log.findLastFailure(subject.kind, subject.id);
    return last?.state !== 'failed' || now - touchedAt >= this.settings.STAGING_DAYS * dayMs;
  }

  private async isOpen(importId: string): Promise<boolean> {
    return (await this.log.find(importId))?.ending === null;
  }
}
