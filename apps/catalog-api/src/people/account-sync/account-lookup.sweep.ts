import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { RepeatingJob } from '../../platform/jobs/repeating-job.js';
import { AccountLookup } from './account-lookup.js';
import { AccountsRepository } from './accounts.repository.js';
import { IdentityProvider } from '../identity-provider/identity-provider.js';

/** Time between two looks for what is due. */
const restMs = 1000;

/** Accesses taken on at once, and how long the identity provider may take for them. */
const batchSize = 50;
const batchBudgetMs = 20_000;

/**
 * Keeps looking, in the background, for the people of accesses that wait for them. What is due stands in the database,
 * so a restart loses nothing and several replicas share the work.
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
