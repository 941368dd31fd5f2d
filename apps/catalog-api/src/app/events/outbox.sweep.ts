import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { RepeatingJob } from '../../platform/jobs/repeating-job.js';
import { EventMetrics } from './event.metrics.js';
import { EventsSettings } from './events.settings.js';
import { OutboxRepository } from './outbox.repository.js';

/** The pause between two checks of waiting deliveries. */
const checkMs = 60_000;

/** The pause between two removals of old events. */
const removalMs = 3_600_000;

/** Ends deliveries that waited too long, removes old events, and reads the metrics. Replicas share the work. */
@Injectable()
export class OutboxSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly jobs = [
    new RepeatingJob(OutboxSweep.name, checkMs, () => this.check()),
    new RepeatingJob(OutboxSweep.name, removalMs, () => this.remove()),
  ];

  constructor(
    private readonly repository: OutboxRepository,
    private readonly metrics: EventMetrics,
    private readonly settings: EventsSettings,
  ) {}

  onApplicationBootstrap(): void {
    for (const job of this.jobs) job.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.jobs.map((job) => job.stop()));
  }

  /** Fails deliveries after `EVENT_RETRY_DAYS` and reads the metrics. */
  async check(): Promise<void> {
    await this.repository.giveUpAfter(this.settings.EVENT_RETRY_DAYS);
    this.metrics.set(await this.repository.readState());
  }

  /** Removes events after `EVENT_RETENTION_DAYS`. */
  remove(): Promise<void> {
    return this.repository.removeAfter(this.settings.EVENT_RETENTION_DAYS);
  }
}
