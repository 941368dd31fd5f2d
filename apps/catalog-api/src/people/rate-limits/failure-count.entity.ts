import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../../platform/database/record.entity.js';

/** The failures of one sort by one subject until `endsAt`. The table is unlogged, because a crash loses only the counts. */
@Entity('failure_counts')
export class FailureCount {
  /** The sort of failure, such as `login`. */
  @PrimaryColumn({ type: 'varchar', length: 20 })
  sort!: string;

  /** A network, an account, or the hash of a login name. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  subject!: string;

  @Column({ type: 'integer' })
  count!: number;

  @Instant()
  endsAt!: Date;

  /** Whether the audit trail has an entry about this count. */
  @Column({ type: 'boolean', default: false })
  audited!: boolean;
}
