import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { RepeatingJob } from '../../platform/jobs/repeating-job.js';
import { RefusedEntitlementsRepository } from './refused-entitlements.repository.js';

/** The pause between two runs. */
const restMs = 3_600_000;

/** Removes old refused entitlements, so that the list does not grow without bound. */
@Injectable()
export class RefusedEntitlementsSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly job = new RepeatingJob(RefusedEntitlementsSweep.name, restMs, () => this.repository.removeOld());

  constructor(private readonly repository: RefusedEntitlementsRepository) {}

  onApplicationBootstrap(): void {
    this.job.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.job.stop();
  }
}
