import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { DatedRow } from '../../platform/database/record.entity.js';

/** Why a claim was not done. They are outcomes of a post too. */
export const refusalReasons = ['unknown_resource', 'refuted', 'stale'] as const;

/** Why a claim was not done. */
export type RefusalReason = (typeof refusalReasons)[number];

/**
 * What the access-request system last claimed about an entitlement, and was not done. It is kept for administrators and
 * goes away when a later post about the entitlement is done; nothing else depends on it.
 */
@Entity('refused_entitlements')
@Unique(['application', 'resource', 'subject'])
@Index(['updatedAt'])
@Check('refused_entitlements_reason_check', `reason IN ('${refusalReasons.join("', '")}')`)
export class RefusedEntitlement extends DatedRow {
  /** Number of the application at the access-request system. */
  @Column({ type: 'integer' })
  application!: number;

  /** Accession that was posted, whether or not there is such a dataset. */
  @Column({ type: 'varchar', length: 255 })
  resource!: string;

  /** The person's identifier at the identity provider. */
  @Column({ type: 'varchar', length: 255 })
  subject!: string;

  /** The ends that were posted together; null for none. */
  @Column({ type: 'timestamptz', array: true })
  ends!: (Date | null)[];

  @Column({ type: 'varchar', length: 20 })
  reason!: RefusalReason;

  /** How often it was claimed in vain. */
  @Column({ type: 'integer', default: 1 })
  posts!: number;
}
