import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { waitAtMost } from '../concurrency/wait-at-most.js';
import type { RequestOptions } from '../imports/import-requests.js';
import { openQueue } from '../queue/backend.js';
import { failFast } from '../queue/import-queue.js';
import { QueueOutages } from '../queue/queue-outages.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';

/** The queue of runs: of the schedule's, and of those that somebody asks for. */
export const scheduleQueueName = 'schedule';

/** Imports everything in the diff because somebody wants it now. */
const importNow = 'import-now';

/** Nothing is kept of a run's job: what it came to is in storage. */
export const removeWhenDone = { removeOnComplete: true, removeOnFail: true } as const;

/** A run that was asked for. */
export interface RequestedRun extends Pick<RequestOptions, 'requested_by' | 'requested_from'> {
  readonly id: string;
}

/** What a job of the queue carries. */
export interface ScheduledJob {
  /** The rule that made it, so that one made by an older rule does nothing. */
  readonly cron?: string;
  /** Only where somebody asked for it. */
  readonly asked?: RequestedRun;
}

/** Asks workers for runs. */
@Injectable()
export class ScheduleQueue implements OnApplicationShutdown {
  private readonly queue: Queue<ScheduledJob>;

  constructor({ QUEUE_URL }: ProvisionerSettings, outages: QueueOutages) {
    this.queue = openQueue(scheduleQueueName, QUEUE_URL);
    this.queue.on('error', (error) => {
      outages.failed(error);
    });
  }

  /** Asks for a run now; asking twice is two runs, of which the second finds less to do. @throws DependencyDownError */
  async requestRun(asked: RequestedRun): Promise<void> {
    await failFast(this.queue.add(importNow, { asked }, removeWhenDone));
  }

  async onApplicationShutdown(): Promise<void> {
    await waitAtMost(this.queue.close());
  }
}
