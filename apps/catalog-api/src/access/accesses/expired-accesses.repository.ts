import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';

/** The number of accesses that one transaction terminates. */
const batchSize = 1000;

interface EndedAccess {
  readonly id: number;
  readonly status: string;
  readonly expires_at: Date;
}

/** Skips accesses that another replica has locked, so that each access is terminated and audited once. */
const endExpired = `
  WITH due AS (
    SELECT id, status, expires_at FROM accesses
     WHERE status <> 'terminated' AND expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  UPDATE accesses SET status = 'terminated', next_attempt_at = NULL, updated_at = now()
    FROM due WHERE accesses.id = due.id
  RETURNING due.id, due.status, due.expires_at`;

/** The statement that terminates expired accesses. */
@Injectable()
export class ExpiredAccessesRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
  ) {}

  /** Terminates a batch of expired accesses. @returns the number of terminated accesses */
  endBatch(): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const [ended] = await manager.query<[EndedAccess[], number]>(endExpired, [batchSize]);
      const writes = ended.map(({ id, status, expires_at }) => ({
        actor: 'access-expiry',
        action: 'expired',
        resource: 'accesses',
        recordId: id,
        before: { status, expires_at },
        after: { status: 'terminated', expires_at },
      }));
      await this.audit.record(manager, ...writes);
      return ended.length;
    });
  }
}
