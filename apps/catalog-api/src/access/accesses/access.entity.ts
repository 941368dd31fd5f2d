import { Check, Column, Entity, Index, Unique, type Relation } from 'typeorm';
import { Contact } from '../../records/contacts/contact.entity.js';
import { DatedRow, Instant, Notes, PartOf, Reference, RefersTo } from '../../platform/database/record.entity.js';
import { Dataset } from '../../records/datasets/dataset.entity.js';
import { User } from '../../people/users/user.entity.js';

/** The statuses of an access. `precreated`: the person has not been found yet. */
export const accessStatuses = ['precreated', 'active', 'suspended', 'terminated'] as const;

/**
 * A person's right to use a dataset. An access from the access-request system is identified by its entitlement:
 * application, dataset and subject. Each entitlement has one row, which is never removed.
 */
@Entity('accesses')
@Unique(['application', 'datasetId', 'subject'])
@Index('accesses_expires_at_idx', { synchronize: false }) // only accesses that are not terminated
@Index('accesses_search_idx', { synchronize: false }) // only accesses without a user
@Check('accesses_status_check', `status IN ('${accessStatuses.join("', '")}')`)
@Check('accesses_holder_check', 'num_nonnulls(subject, user_id, contact_id) > 0')
export class Access extends DatedRow {
  @Reference()
  @Index()
  datasetId!: number;

  @PartOf(() => Dataset)
  dataset!: Relation<Dataset>;

  /** Number of the application at the access-request system; null if an administrator granted the access. */
  @Column({ type: 'integer', nullable: true })
  application!: number | null;

  /** The holder's identifier at the identity provider, as posted by the access-request system. */
  @Column({ type: 'varchar', length: 255, nullable: true })
  @Index()
  subject!: string | null;

  @Reference({ nullable: true })
  @Index()
  userId!: number | null;

  @RefersTo(() => User)
  user!: Relation<User> | null;

  @Reference({ nullable: true })
  @Index()
  contactId!: number | null;

  @RefersTo(() => Contact)
  contact!: Relation<Contact> | null;

  @Column({ type: 'varchar', length: 10, default: 'precreated' })
  status!: (typeof accessStatuses)[number];

  /** The beginning of the access. */
  @Instant({ nullable: true })
  grantedAt!: Date | null;

  /** The end of the access; null for no end. */
  @Instant({ nullable: true })
  expiresAt!: Date | null;

  /** Whether the entitlement has no end, so that `expiresAt` is the default term after the grant. */
  @Column({ type: 'boolean', default: false })
  defaultTerm!: boolean;

  /** When the access-request system ended the access. A delayed or repeated grant does not revive the access. */
  @Instant({ nullable: true })
  revokedAt!: Date | null;

  /** Whether the access waits for the access-request system, which was unreachable, to confirm the grant. */
  @Column({ type: 'boolean', default: false })
  confirmationDue!: boolean;

  /** The time of the latest request for a confirmation by the access-request system; null if there is no confirmation. */
  @Instant({ nullable: true })
  confirmedAt!: Date | null;

  /** The number of failed attempts to find the person or the confirmation. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** The time of the next attempt; null if no attempt is scheduled. */
  @Instant({ nullable: true })
  @Index()
  nextAttemptAt!: Date | null;

  @Notes()
  notes!: string | null;
}
