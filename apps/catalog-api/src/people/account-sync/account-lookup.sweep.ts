import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { RepeatingJob } from '../../platform/jobs/repeating-job.js';
import { AccountLookup } from './account-lookup.js';
import { AccountsRepository } from './accounts.repository.js';
import { IdentityProvider } from '../identity-provider/identity-provider.js';

/** The pause between two runs. */
const restMs = 1000;

/** The number of accesses that one run claims, and the time that the identity provider has for them. */
const batchSize = 50;
const batchBudgetMs = 20_000;

/**
 * Finds the people of accesses that wait for them. The database stores the due times, so a restart loses nothing and
 * replicas share the work.
 */
@Injectable()
export class AccountLookupSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly job = new RepeatingJob(AccountLookupSweep.name, restMs, async () => {
    await this.lookup.activateWithin(await this.repository.claimDue(batchSize), batchBudgetMs);
  });

  constructor(
    private readonly provider: IdentityProvider,
    private readonly repository: AccountsRepository,
    private readonly lookup: AccountLookup,
  ) {}

  onApplicationBootstrap(): void {
    if (this.provider.name !== 'none') this.job.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.job.stop();
  }
}
