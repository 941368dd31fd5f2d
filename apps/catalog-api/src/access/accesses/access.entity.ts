import { Check, Column, Entity, Index, JoinColumn, ManyToOne, Unique, type Relation } from 'typeorm';
import { Contact } from '../../records/contacts/contact.entity.js';
import { DatedRow, Instant, Notes, Reference } from '../../platform/database/record.entity.js';
import { Dataset } from '../../records/datasets/dataset.entity.js';
import { User } from '../../people/users/user.entity.js';

/** The life of an access: waiting for its person, in force, held back, over. */
export const accessStatuses = ['precreated', 'active', 'suspended', 'terminated'] as const;

/**
 * A person's right to use a dataset. One that came from the access-request system is identified by its entitlement:
 * application, dataset and subject; there is one row for each, ever.
 */
@Entity('accesses')
@Unique(['application', 'datasetId', 'subject'])
@Index('accesses_expires_at_idx', { synchronize: false }) // of those that are not terminated
@Index('accesses_search_idx', { synchronize: false }) // of those that are of no user
@Check('accesses_status_check', `status IN ('${accessStatuses.join("', '")}')`)
@Check('accesses_holder_check', 'num_nonnulls(subject, user_id, contact_id) > 0')
export class Access extends DatedRow {
  @Reference()
  @Index()
  datasetId!: number;

  @ManyToOne(() => Dataset, { onDelete: 'CASCADE' })
  @JoinColumn()
  dataset!: Relation<Dataset>;

  /** Number of the application at the access-request system; null for an access made by hand. */
  @Column({ type: 'integer', nullable: true })
  application!: number | null;

  /** The holder's identifier at the identity provider, as the access-request system gave it. */
  @Column({ type: 'varchar', length: 255, nullable: true })
  @Index()
  subject!: string | null;

  @Reference({ nullable: true })
  @Index()
  userId!: number | null;

  @ManyToOne(() => User)
  @JoinColumn()
  user!: Relation<User> | null;

  @Reference({ nullable: true })
  @Index()
  contactId!: number | null;

  @ManyToOne(() => Contact)
  @JoinColumn()
  contact!: Relation<Contact> | null;

  @Column({ type: 'varchar', length: 10, default: 'precreated' })
  status!: (typeof accessStatuses)[number];

  /** From when it holds. */
  @Instant({ nullable: true })
  grantedAt!: Date | null;

  /** Until when it holds; null means without end. */
  @Instant({ nullable: true })
  expiresAt!: Date | null;

  /** Whether the entitlement named no end, so that `expiresAt` is the default term counted from its grant. */
  @Column({ type: 'boolean', default: false })
  defaultTerm!: boolean;

  /** When the access-request system ended it. From then on a late or repeated grant does not revive it. */
  @Instant({ nullable: true })
  revokedAt!: Date | null;

  /** Whether the access-request system, which could not be reached, is still to be asked about it. */
  @Column({ type: 'boolean', default: false })
  confirmationDue!: boolean;

  /** When the access-request system was asked for what it last said about it; null when it never was. */
  @Instant({ nullable: true })
  confirmedAt!: Date | null;

  /** How often its person, or its confirmation, was looked for in vain. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** When its person, or its confirmation, is looked for next; null when there is nothing to look for. */
  @Instant({ nullable: true })
  @Index()
  nextAttemptAt!: Date | null;

  @Notes()
  notes!: string | null;
}
