import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Instant } from '../../platform/database/record.entity.js';

/** A write: its actor, its time, and the record before and after. The database refuses to change or remove rows. */
@Entity('audit_entries')
@Index(['resource', 'recordId'])
@Index(['actor', 'id'])
@Index(['action', 'id'])
@Index(['at'])
@Index('audit_entries_exposed_dataset_idx', { synchronize: false }) // of exposures, by the dataset in `after`
export class AuditEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: string;

  @Instant({ default: () => 'now()' })
  at!: Date;

  /** `global`, `user:<id>`, `endpoint:<id>`, or the name of the command or job. */
  @Column({ type: 'varchar', length: 255 })
  actor!: string;

  /** `create`, `update`, `remove`, `publish`, `expose`, ... */
  @Column({ type: 'varchar', length: 40 })
  action!: string;

  /** The plural of the record's kind, as in its path. */
  @Column({ type: 'varchar', length: 40 })
  resource!: string;

  @Column({ type: 'varchar', length: 255 })
  recordId!: string;

  @Column({ type: 'jsonb', nullable: true })
  before!: unknown;

  @Column({ type: 'jsonb', nullable: true })
  after!: unknown;

  @Column({ type: 'varchar', length: 64, nullable: true })
  requestId!: string | null;

  /** The address from which the request came; null for commands and jobs. */
  @Column({ type: 'varchar', length: 45, nullable: true })
  address!: string | null;
}
