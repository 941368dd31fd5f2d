import type { Scope } from '@rdc/auth';
import { Column, Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { DatedRow, Instant, Reference, Words } from '../../platform/database/record.entity.js';

/**
 * A program that calls with a key, and what it may do. A revoked one stays, so that its name in the audit trail always
 * means the same program.
 */
@Entity('service_keys')
export class ServiceKey extends DatedRow {
  /** The name by which the audit trail and imports know the program. */
  @Column({ type: 'varchar', length: 64, unique: true })
  name!: string;

  @Words()
  scopes!: Scope[];

  /** Prefixes of the submissions that `imports:*` extend to; null for all. */
  @Column({ type: 'text', array: true, nullable: true })
  submissions!: string[] | null;

  /** Accessions of the projects that `records:*` extend to; null for all. */
  @Column({ type: 'text', array: true, nullable: true })
  projects!: string[] | null;

  /** The end of all its keys; null for no end. */
  @Instant({ nullable: true })
  expiresAt!: Date | null;

  /** The instant of the revocation; null if it is not revoked. */
  @Instant({ nullable: true })
  revokedAt!: Date | null;
}

/** A key of a program. During a rotation there are two. */
@Entity('service_key_secrets')
export class ServiceKeySecret extends DatedRow {
  @Reference()
  @Index()
  serviceKeyId!: number;

  @ManyToOne(() => ServiceKey, { onDelete: 'CASCADE' })
  @JoinColumn()
  serviceKey!: Relation<ServiceKey>;

  /** The keyed hash; the key itself is shown once and stored nowhere. */
  @Column({ type: 'varchar', length: 64, unique: true })
  keyHash!: string;

  /** The end of this key after a rotation; null while it is the current one. */
  @Instant({ nullable: true })
  expiresAt!: Date | null;

  /** The last use, to the minute. */
  @Instant({ nullable: true })
  lastUsedAt!: Date | null;
}
