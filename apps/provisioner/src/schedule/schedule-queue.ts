import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { waitAtMost } from '../concurrency/wait-at-most.js';
import type { RequestOptions } from '../imports/import-requests.js';
import { openQueue } from '../queue/backend.js';
import { failFast } from '../queue/import-queue.js';
import { QueueOutages } from '../queue/queue-outages.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';

/** The queue of scheduled and requested runs. */
export const scheduleQueueName = 'schedule';

/** The name of the job of a requested run. */
const importNow = 'import-now';

/** Removes ended jobs, because the report of a run is in the storage. */
export const removeWhenDone = { removeOnComplete: true, removeOnFail: true } as const;

export interface RequestedRun extends Pick<RequestOptions, 'requested_by' | 'requested_from'> {
  readonly id: string;
}

export interface ScheduledJob {
  /** The rule of a scheduled run. A job of an outdated rule does nothing. */
  readonly cron?: string;
  /** The request of a requested run. */
  readonly asked?: RequestedRun;
}

@Injectable()
export class ScheduleQueue implements OnApplicationShutdown {
  private readonly queue: Queue<ScheduledJob>;

  constructor({ QUEUE_URL }: ProvisionerSettings, outages: QueueOutages) {
    this.queue = openQueue(scheduleQueueName, QUEUE_URL);
    this.queue.on('error', (error) => {
      outages.failed(error);
    });
  }

  /** Requests a run. Each call requests another run. @throws DependencyDownError if the queue is unavailable */
  async requestRun(run: RequestedRun): Promise<void> {
    await failFast(this.queue.add(importNow, { asked: run }, removeWhenDone));
  }

  async onApplicationShutdown(): Promise<void> {
    await waitAtMost(this.queue.close());
  }
}
