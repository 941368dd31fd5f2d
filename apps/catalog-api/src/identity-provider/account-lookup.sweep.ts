import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { AccountLookup } from './account-lookup.js';
import { AccountsRepository } from './accounts.repository.js';
import { IdentityProvider } from './identity-provider.js';

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
  private readonly logger = new Logger(AccountLookupSweep.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly provider: IdentityProvider,
    private readonly repository: AccountsRepository,
    private readonly lookup: AccountLookup,
  ) {}

  onApplicationBootstrap(): void {
    if (this.provider.name !== 'none') this.running = this.run();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await this.lookup.completeWithin(await this.repository.claimDue(batchSize), batchBudgetMs);
      } catch (error) {
        this.logger.warn(`Waiting accesses could not be looked up: ${String(error)}`);
      }
      await pause(restMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
