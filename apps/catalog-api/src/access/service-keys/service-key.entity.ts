import type { Scope } from '@rdc/auth';
import { Column, Entity, Index, type Relation } from 'typeorm';
import { DatedRow, HashedKey, Instant, PartOf, Reference, Words } from '../../platform/database/record.entity.js';

/**
 * A program that calls with a key, and its scopes. A revoked service key is kept, so that a name in the audit trail
 * always refers to the same program.
 */
@Entity('service_keys')
export class ServiceKey extends DatedRow {
  /** The name of the program in the audit trail and in imports. */
  @Column({ type: 'varchar', length: 64, unique: true })
  name!: string;

  @Words()
  scopes!: Scope[];

  /** Prefixes of the submissions to which the scopes `imports:*` are limited; null for all submissions. */
  @Column({ type: 'text', array: true, nullable: true })
  submissions!: string[] | null;

  /** Accessions of the projects to which the scopes `records:*` are limited; null for all projects. */
  @Column({ type: 'text', array: true, nullable: true })
  projects!: string[] | null;

  /** The end of all secrets; null for no end. */
  @Instant({ nullable: true })
  expiresAt!: Date | null;

  /** The instant of the revocation; null if the service key is not revoked. */
  @Instant({ nullable: true })
  revokedAt!: Date | null;
}

/** A secret of a service key. During a rotation, a service key has two. */
@Entity('service_key_secrets')
export class ServiceKeySecret extends HashedKey {
  @Reference()
  @Index()
  serviceKeyId!: number;

  @PartOf(() => ServiceKey)
  serviceKey!: Relation<ServiceKey>;
}
