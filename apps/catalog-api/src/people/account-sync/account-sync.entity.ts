import { Column, Entity } from 'typeorm';
import { Instant, Row } from '../../platform/database/record.entity.js';
import type { SyncReport } from './sync-report.js';

/** The latest synchronisation with the identity provider, kept for callers who joined it from another replica. */
@Entity('account_syncs')
export class AccountSync extends Row {
  @Instant()
  finishedAt!: Date;

  /** Whether it was allowed to deactivate many people at once. */
  @Column({ type: 'boolean' })
  confirmed!: boolean;

  @Column({ type: 'jsonb' })
  report!: SyncReport;
}
