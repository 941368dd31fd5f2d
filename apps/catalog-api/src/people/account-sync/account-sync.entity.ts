import { Column, Entity } from 'typeorm';
import { Instant, Row } from '../../platform/database/record.entity.js';
import type { SyncReport } from './sync-report.js';

/** The latest synchronisation with the identity provider, stored for callers that waited for it on another replica. */
@Entity('account_syncs')
export class AccountSync extends Row {
  @Instant()
  finishedAt!: Date;

  /** Whether the synchronisation was allowed to deactivate many people. */
  @Column({ type: 'boolean' })
  confirmed!: boolean;

  @Column({ type: 'jsonb' })
  report!: SyncReport;
}
