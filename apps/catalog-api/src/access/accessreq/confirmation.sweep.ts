import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { RepeatingJob } from '../../platform/jobs/repeating-job.js';
import { AccessRequestService } from './accessreq.service.js';
import { AccessRequestSystem } from './access-request-system.js';
import { EntitlementsRepository } from './entitlements.repository.js';

/** The pause between two runs. */
const restMs = 1000;

/** Entitlements that one run claims. */
const batchSize = 20;

/**
 * Requests the confirmation of claims that were posted while the access-request system was unreachable. The database
 * stores the due times, so a restart loses nothing and replicas share the work.
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
