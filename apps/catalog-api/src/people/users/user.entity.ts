import { roles, type Role } from '@rdc/auth';
import { Check, Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { DatedRow, Instant, RefersTo, Words } from '../../platform/database/record.entity.js';

/** A person who signs in, holds roles and is custodian of records. Users are deactivated, never deleted. */
@Entity('users')
@Check('users_roles_check', `roles <@ ARRAY['${roles.join("', '")}']`)
@Index('users_email_key', { synchronize: false }) // unique over lower(email), because case does not distinguish addresses
@Index('users_name_idx', { synchronize: false })
@Index('users_search_idx', { synchronize: false })
export class User extends DatedRow {
  /** The identifier at the identity provider (`oidc_id` in documents). */
  @Column({ type: 'varchar', length: 255, nullable: true, unique: true })
  subject!: string | null;

  @Column({ type: 'varchar', length: 254, nullable: true })
  email!: string | null;

  @Column({ type: 'varchar', length: 255, default: '' })
  firstName!: string;

  @Column({ type: 'varchar', length: 255, default: '' })
  lastName!: string;

  @Words()
  roles!: Role[];

  /** Whether the user is a principal investigator, which decides the role among the contacts of a record. */
  @Column({ type: 'boolean', default: false })
  isPrincipalInvestigator!: boolean;

  /** Whether the key and the password of the user are accepted. */
  @Column({ type: 'boolean', default: true })
  active!: boolean;

  /** Whether a synchronisation deactivated the user. Only such a user is activated by a synchronisation. */
  @Column({ type: 'boolean', default: false })
  deactivatedBySync!: boolean;

  /**
   * The first instant at which the identity provider listed the person under `subject`; null for a person who was made by
   * hand or migrated. A synchronisation does not deactivate such a person.
   */
  @Instant({ nullable: true })
  confirmedAt!: Date | null;

  /** Whether the account belongs to a machine. Lists of people omit such accounts. */
  @Column({ type: 'boolean', default: false })
  technical!: boolean;

  /** The keyed hash of the personal key. The key itself is shown once and stored nowhere. */
  @Column({ type: 'varchar', length: 64, nullable: true, unique: true })
  keyHash!: string | null;

  /** The end of the key; null for no end. */
  @Instant({ nullable: true })
  keyExpiresAt!: Date | null;

  /** The last use of the key, to the minute. */
  @Instant({ nullable: true })
  keyLastUsedAt!: Date | null;

  /** The hash of the local password; null if the person signs in only at the identity provider. */
  @Column({ type: 'varchar', length: 255, nullable: true })
  passwordHash!: string | null;
}

/** A user in a list of a record. */
export abstract class UserLink {
  @PrimaryColumn({ type: 'integer' })
  @Index()
  userId!: number;

  @RefersTo(() => User)
  user!: Relation<User>;
}
