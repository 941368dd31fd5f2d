import { networkOf } from '@rdc/auth';
import { Command, UsageError, type CommandUnknownOpts } from '@rdc/cli';
import type { Settings } from '@rdc/settings';
import { isIP } from 'node:net';
import type { DataSource } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import type { OpenContext } from '../../platform/command-line/command.js';
import { HttpSettings } from '../../platform/settings/http.settings.js';
import { AuditBudget } from './audit-budget.js';
import { FailureCountsRepository } from './failure-counts.repository.js';
import { accountSubject, FailureLimits } from './failure-limits.js';
import { RateLimitsSettings } from './rate-limits.settings.js';
import type { ThrottleResponse } from './throttle.dto.js';
import { ThrottleTrail } from './throttle-trail.js';
import { ThrottlesService } from './throttles.service.js';

const commandLine = 'command line';

/** `throttled`: prints the accounts and networks that are refused after too many failures. */
export function throttledCommand(open: OpenContext): CommandUnknownOpts {
  return new Command('throttled')
    .description('list the accounts and networks that are refused after too many failures')
    .action(async () => {
      const { settings, print, withDataSource } = open();
      const reached = await withDataSource((dataSource) => throttlesOf(settings, dataSource).reached());
      reached.map(lineOf).forEach(print);
      if (reached.length === 0) print('No account and no network is refused.');
    });
}

/** `release <subject>`: releases an account or a network from every limit. */
export function releaseCommand(open: OpenContext): CommandUnknownOpts {
  return new Command('release')
    .description('release an account or a network that is refused after too many failures')
    .argument('<subject>', 'e-mail address of the account, or address of the network')
    .action(async (word) => {
      const { settings, print, withDataSource } = open();
      const released = await withDataSource(async (dataSource) =>
        throttlesOf(settings, dataSource).releaseSubject(await subjectOf(dataSource, word), commandLine),
      );
      print(released === 0 ? `${word} was not refused.` : `${word} is accepted again, within ten seconds.`);
    });
}

/** Builds the service for commands. */
export function throttlesOf(settings: Settings, dataSource: DataSource): ThrottlesService {
  const counts = new FailureCountsRepository(dataSource);
  const audit = new AuditTrail();
  const trail = new ThrottleTrail(dataSource, counts, new AuditBudget(counts), audit);
  const limits = new FailureLimits(settings.get(HttpSettings), settings.get(RateLimitsSettings), counts, trail);
  return new ThrottlesService(dataSource, counts, limits, audit);
}

async function subjectOf(dataSource: DataSource, word: string): Promise<string> {
  const [address = ''] = word.split('/');
  if (isIP(address) !== 0) return networkOf(address);
  const [user] = await dataSource.query<{ id: number }[]>('SELECT id FROM users WHERE lower(email) = lower($1)', [
    word,
  ]);
  if (!user) throw new UsageError('No account has this e-mail address.');
  return accountSubject(user.id);
}

function lineOf({ kind, network, email, user_id, failures, limit, ends_at }: ThrottleResponse): string {
  const account = email ?? (user_id === null ? 'a login of no account' : `user ${String(user_id)}`);
  return `${kind} ${network ?? account}: ${String(failures)} failures of ${String(limit)}, until ${ends_at.toISOString()}`;
}
