import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { RepeatingJob } from '../../platform/jobs/repeating-job.js';
import { AccessRequestService } from './accessreq.service.js';
import { AccessRequestSystem } from './access-request-system.js';
import { EntitlementsRepository } from './entitlements.repository.js';

/** Time between two looks for what is due. */
const restMs = 1000;

/** Entitlements taken on at once. */
const batchSize = 20;

/**
 * Keeps asking, in the background, for the confirmation of what was posted while the access-request system could not be
 * reached. What is due stands in the database, so a restart loses nothing and several replicas share the work.
 */
@Injectable()
export class ConfirmationSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly job = new RepeatingJob(ConfirmationSweep.name, restMs, async () => {
    for (const due of await this.repository.claimDue(batchSize)) await this.service.confirm(due);
  });

  constructor(
    private readonly system: AccessRequestSystem,
    private readonly repository: EntitlementsRepository,
    private readonly service: AccessRequestService,
  ) {}

  onApplicationBootstrap(): void {
    if (this.system.isConfigured) this.job.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.job.stop();
  }
}
