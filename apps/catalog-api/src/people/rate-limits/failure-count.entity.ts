import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Instant } from '../../platform/database/record.entity.js';

/** Failures of one sort from one place, until `endsAt`. Unlogged: what a crash loses is a minute's count. */
@Entity('failure_counts')
export class FailureCount {
  /** What failed, e.g. `login`. */
  @PrimaryColumn({ type: 'varchar', length: 20 })
  sort!: string;

  /** From where, or at what: a network, or the hash of a login name. */
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
