import { Injectable, Logger } from '@nestjs/common';
import { OutageLog } from '@rdc/http';
import { AccountsRepository } from './accounts.repository.js';
import { IdentityProvider } from '../identity-provider/identity-provider.js';

/** Concurrent requests to the identity provider. */
const concurrentLookups = 8;

/** Finds single people at the identity provider and activates the accesses that wait for them. */
@Injectable()
export class AccountLookup {
  private readonly outages = new OutageLog(
    'finding accounts of people who wait for access',
    new Logger(AccountLookup.name),
  );

  constructor(
    private readonly provider: IdentityProvider,
    private readonly repository: AccountsRepository,
  ) {}

  /**
   * Activates the accesses of people who have a verified account. Never throws: background attempts continue for people
   * who are not found in time.
   *
   * @returns the subjects of the people who were found
   */
  async activateWithin(subjects: ReadonlySet<string>, budgetMs: number): Promise<Set<string>> {
    const found = new Set<string>();
    if (subjects.size === 0) return found;
    const signal = AbortSignal.timeout(budgetMs);
    const queue = [...subjects];
    const worker = async (): Promise<void> => {
      for (let subject = queue.shift(); subject !== undefined; subject = queue.shift()) {
        if (await this.complete(subject, signal)) found.add(subject);
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrentLookups, queue.length) }, worker));
    return found;
  }

  private async complete(subject: string, signal: AbortSignal): Promise<boolean> {
    try {
      const account = await this.provider.findAccount(subject, signal);
      this.outages.succeeded();
      if (!account?.verified || !account.enabled || !account.email) return false;
      return await this.repository.importAccount(account);
    } catch (error) {
      this.outages.failed(error);
      return false;
    }
  }
}
