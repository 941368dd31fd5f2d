import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { AuditBudget } from './audit-budget.js';
import { FailureCountsRepository } from './failure-counts.repository.js';

/** The resource of audit entries about throttled accounts and networks. */
export const throttleResource = 'throttles';

/** Writes one audit entry for each window of a throttled account or network, over all replicas. */
@Injectable()
export class ThrottleTrail {
  constructor(
    private readonly dataSource: DataSource,
    private readonly counts: FailureCountsRepository,
    private readonly budget: AuditBudget,
    private readonly audit: AuditTrail,
  ) {}

  async record(sort: string, subject: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const mark = await this.counts.markAudited(manager, sort, subject);
      const position = mark && (await this.budget.consume(manager, `throttle ${sort}`));
      if (!mark || position === null) return;
      await this.audit.record(manager, {
        actor: 'anonymous',
        action: 'throttle',
        resource: throttleResource,
        recordId: `${sort}:${subject}`,
        after: { failures: mark.count, until: mark.endsAt, throttled_in_window: position },
      });
    });
  }
}
