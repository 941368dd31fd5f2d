import { roles, type Role } from '@rdc/auth';
import { Check, Column, Entity, Index } from 'typeorm';
import { DatedRow, Instant, Words } from '../../platform/database/record.entity.js';

/** A person of the institution: signs in, holds roles, is custodian of records. Deactivated, never deleted. */
@Entity('users')
@Check('users_roles_check', `roles <@ ARRAY['${roles.join("', '")}']`)
@Index('users_email_key', { synchronize: false }) // unique over lower(email): two spellings are one address
@Index('users_name_idx', { synchronize: false })
@Index('users_search_idx', { synchronize: false })
export class User extends DatedRow {
  /** Their identifier at the identity provider (`oidc_id` on the wire). */
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

  /** Marks principal investigators; decides their role among a record's contacts. */
  @Column({ type: 'boolean', default: false })
  isPrincipalInvestigator!: boolean;

  /** A deactivated user's key and password are refused. */
  @Column({ type: 'boolean', default: true })
  active!: boolean;

  /** Whether it was the synchronisation that deactivated them: only then it activates them again. */
  @Column({ type: 'boolean', default: false })
  deactivatedBySync!: boolean;

  /** An account of a machine; never listed among people. */
  @Column({ type: 'boolean', default: false })
  technical!: boolean;

  /** The keyed hash of the personal key; the key itself is shown once and kept nowhere. */
  @Column({ type: 'varchar', length: 64, nullable: true, unique: true })
  keyHash!: string | null;

  /** When the key ends; null means never. */
  @Instant({ nullable: true })
  keyExpiresAt!: Date | null;

  /** When the key was last used, to the minute. */
  @Instant({ nullable: true })
  keyLastUsedAt!: Date | null;

  /** Null for people who sign in at the identity provider only. */
  @Column({ type: 'varchar', length: 255, nullable: true })
  passwordHash!: string | null;
}
