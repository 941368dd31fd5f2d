import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { DatedRow } from '../../platform/database/record.entity.js';

/** The reasons of a refusal, which are also outcomes of a post. */
export const refusalReasons = ['unknown_resource', 'refuted', 'stale'] as const;

export type RefusalReason = (typeof refusalReasons)[number];

/**
 * The latest refused claim about an entitlement, stored for administrators only. The row is removed when a later post
 * about the entitlement is applied.
 */
@Entity('refused_entitlements')
@Unique(['application', 'resource', 'subject'])
@Index(['updatedAt'])
@Check('refused_entitlements_reason_check', `reason IN ('${refusalReasons.join("', '")}')`)
export class RefusedEntitlement extends DatedRow {
  /** Number of the application at the access-request system. */
  @Column({ type: 'integer' })
  application!: number;

  /** The posted accession, even if the dataset does not exist. */
  @Column({ type: 'varchar', length: 255 })
  resource!: string;

  /** The person's identifier at the identity provider. */
  @Column({ type: 'varchar', length: 255 })
  subject!: string;

  /** The ends that were posted together; null for no end. */
  @Column({ type: 'timestamptz', array: true })
  ends!: (Date | null)[];

  @Column({ type: 'varchar', length: 20 })
  reason!: RefusalReason;

  /** The number of posts that were refused. */
  @Column({ type: 'integer', default: 1 })
  posts!: number;
}
