import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { RepeatingJob } from '../../platform/jobs/repeating-job.js';
import { ExpiredAccessesRepository } from './expired-accesses.repository.js';

/** Time between two looks for accesses whose end has come. */
const restMs = 60_000;

/**
 * Marks accesses as terminated once their end has come, for lists and the audit trail. Nothing depends on it running:
 * what a person may use follows from the end itself. Replicas share the work.
 */
@Injectable()
export class ExpirySweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly job = new RepeatingJob(ExpirySweep.name, restMs, () => this.sweep());

  constructor(private readonly repository: ExpiredAccessesRepository) {}

  onApplicationBootstrap(): void {
    this.job.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.job.stop();
  }

  /** Ends everything that is due now. */
  async sweep(): Promise<void> {
    while ((await this.repository.endBatch()) > 0);
  }
}
