import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PeriodicTask } from '@rdc/http';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { Leftover } from '../model/leftover.js';
import { Storage } from '../model/storage.js';
import { RequestLog } from '../model/request-log.js';
import { waitAtMost } from '../concurrency/wait-at-most.js';

const intervalMs = 60 * 60_000;

/** The age below which a leftover may belong to an operation that has just started. */
const minAgeMs = 60 * 60_000;

/** The number of days for which ended plans are kept. */
const planDays = 7;

const dayMs = 24 * 60 * 60_000;

/** A periodic task that removes leftovers of killed processes from the storage if no import needs them. */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Sweeper.name);
  private readonly task = new PeriodicTask(
    () => this.sweep(),
    intervalMs,
    (error) => {
      this.logger.warn(`listing leftovers failed: ${String(error)}`);
    },
  );

  constructor(
    private readonly storage: Storage,
    private readonly log: RequestLog,
    private readonly settings: ProvisionerSettings,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await waitAtMost(this.task.stop());
  }

  /** Removes all leftovers that no import needs. @returns the names of the removed leftovers */
  async sweep(now = Date.now()): Promise<readonly string[]> {
    const removed: string[] = [];
    for await (const leftover of this.storage.leftovers()) {
      try {
        if (!(await this.isOrphan(leftover, now)) || !(await leftover.remove())) continue;
      } catch (error) {
        // The failure does not stop the removal of other leftovers.
        this.logger.warn(`removing a leftover failed: name=${leftover.name}: ${String(error)}`);
        continue;
      }
      this.logger.warn(`removed a leftover: name=${leftover.name}`);
      removed.push(leftover.name);
    }
    await this.removePlans(now);
    return removed;
  }

  /** Removes plans after `planDays` days, because a plan describes only the time at which it was made. */
  private async removePlans(now: number): Promise<void> {
    try {
      await this.log.removePlansBefore(new Date(now - planDays * dayMs));
    } catch (error) {
      this.logger.warn(`removing ended plans failed: ${String(error)}`);
    }
  }

  /** Returns whether no import needs a leftover. Failed imports may be retried for `STAGING_DAYS` days. */
  private async isOrphan({ subject, importId, touchedAt }: Leftover, now: number): Promise<boolean> {
    if (now - touchedAt < minAgeMs) return false;
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
