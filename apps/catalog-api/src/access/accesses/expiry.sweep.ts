import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { RepeatingJob } from '../../platform/jobs/repeating-job.js';
import { ExpiredAccessesRepository } from './expired-accesses.repository.js';

/** The pause between two runs. */
const restMs = 60_000;

/**
 * Terminates expired accesses, for lists and the audit trail. The check of permissions
 * compares the end of the access and does not depend on the sweep. Replicas share the work.
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

  /** Terminates all expired accesses. */
  async sweep(): Promise<void> {
    while ((await this.repository.endBatch()) > 0);
  }
}
