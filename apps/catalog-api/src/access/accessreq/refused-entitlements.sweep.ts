import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { RepeatingJob } from '../../platform/jobs/repeating-job.js';
import { RefusedEntitlementsRepository } from './refused-entitlements.repository.js';

/** Time between two looks for what is to be forgotten. */
const restMs = 3_600_000;

/** Keeps the list of refused entitlements from growing for ever. */
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
