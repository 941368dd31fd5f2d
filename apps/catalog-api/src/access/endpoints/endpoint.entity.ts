import { Column, Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { DatedRow, Instant, Reference } from '../../platform/database/record.entity.js';

/** A data catalog that reads what is exposed to it. */
@Entity('endpoints')
export class Endpoint extends DatedRow {
  @Column({ type: 'varchar', length: 128, unique: true })
  name!: string;

  /** Where a dataset stands in that catalog; `${entity_id}` stands for its accession. */
  @Column({ type: 'varchar', length: 256, default: '' })
  urlPattern!: string;

  /** Whether everybody may read there, so that what is exposed to it may be harvested without a key. */
  @Column({ type: 'boolean', default: false })
  public!: boolean;
}

/** A key of an endpoint. During a rotation there are two. */
@Entity('endpoint_keys')
export class EndpointKey extends DatedRow {
  @Reference()
  @Index()
  endpointId!: number;

  @ManyToOne(() => Endpoint, { onDelete: 'CASCADE' })
  @JoinColumn()
  endpoint!: Relation<Endpoint>;

  /** The keyed hash; the key itself is shown once and kept nowhere. */
  @Column({ type: 'varchar', length: 64, unique: true })
  keyHash!: string;

  /** When the key ends; null means never. */
  @Instant({ nullable: true })
  expiresAt!: Date | null;

  /** When the key was last used, to the minute. */
  @Instant({ nullable: true })
  lastUsedAt!: Date | null;
}
