import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { UnknownRecordError } from '@rdc/errors';
import { DataSource } from 'typeorm';
import { requireAdministrator } from '../../platform/administration/administrator.js';
import { actorOf, AuditTrail } from '../../publishing/audit/audit-trail.js';
import { FailureCountsRepository, type ReachedCount } from './failure-counts.repository.js';
import { FailureLimits } from './failure-limits.js';
import type { ThrottleResponse } from './throttle.dto.js';
import { throttleResource } from './throttle-trail.js';

/** Lists and releases throttled accounts and networks. */
@Injectable()
export class ThrottlesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly counts: FailureCountsRepository,
    private readonly limits: FailureLimits,
    private readonly audit: AuditTrail,
  ) {}

  /** Returns the accounts and networks that are refused now. */
  async list(caller: Principal): Promise<ThrottleResponse[]> {
    requireAdministrator(caller);
    return this.reached();
  }

  /**
   * Releases one account or network: immediately in this process, within ten seconds in other processes.
   *
   * @param id the `id` of an item of the list
   * @throws UnknownRecordError if the account or network has no count
   */
  async release(caller: Principal, id: string): Promise<void> {
    requireAdministrator(caller);
    const [sort = '', ...rest] = Buffer.from(id, 'base64url').toString().split(':');
    const isReleased = await this.remove(sort, rest.join(':'), actorOf(caller));
    if (!isReleased) throw new UnknownRecordError('throttled account or network', id);
  }

  /** Releases an account or a network from every limit. @returns the number of limits that were reached */
  async releaseSubject(subject: string, actor: string): Promise<number> {
    const reached = await this.counts.listReached(this.limitOf(), subject);
    for (const { sort } of reached) await this.remove(sort, subject, actor);
    return reached.length;
  }

  /** Returns the accounts and networks that are refused now, without a check of the permission, for commands. */
  async reached(): Promise<ThrottleResponse[]> {
    const limitOf = this.limitOf();
    return (await this.counts.listReached(limitOf)).map((count) => toThrottleResponse(count, limitOf));
  }

  private async remove(sort: string, subject: string, actor: string): Promise<boolean> {
    const limit = this.limits.active.find(({ rule }) => rule.sort === sort);
    if (!limit || subject === '' || subject.includes('\0')) return false;
    const isRemoved = await this.dataSource.transaction(async (manager) => {
      if (!(await this.counts.remove(sort, subject, manager))) return false;
      const recordId = `${sort}:${subject}`;
      await this.audit.record(manager, { actor, action: 'release', resource: throttleResource, recordId });
      return true;
    });
    if (isRemoved) limit.forget(subject);
    return isRemoved;
  }

  private limitOf(): ReadonlyMap<string, number> {
    return new Map(this.limits.active.map(({ rule }) => [rule.sort, rule.limit]));
  }
}

function toThrottleResponse(reached: ReachedCount, limitOf: ReadonlyMap<string, number>): ThrottleResponse {
  const { sort, subject, count, endsAt, userId, userName, email } = reached;
  return {
    id: Buffer.from(`${sort}:${subject}`).toString('base64url'),
    kind: sort,
    network: sort === 'account' ? null : subject,
    user_id: userId,
    user_name: userName,
    email,
    failures: count,
    limit: limitOf.get(sort) ?? 0,
    ends_at: endsAt,
  };
}
