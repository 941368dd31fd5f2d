import { Column, Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { DatedRow, Instant, Reference } from '../../platform/database/record.entity.js';

/** A data catalog that reads the datasets exposed to it. */
@Entity('endpoints')
export class Endpoint extends DatedRow {
  @Column({ type: 'varchar', length: 128, unique: true })
  name!: string;

  /** The address of a dataset in that catalog; `${entity_id}` stands for the accession. */
  @Column({ type: 'varchar', length: 256, default: '' })
  urlPattern!: string;

  /** Whether the data catalog is public, so that datasets exposed to it can be harvested without a key. */
  @Column({ type: 'boolean', default: false })
  public!: boolean;
}

/** A key of an endpoint. During a rotation, an endpoint has two. */
@Entity('endpoint_keys')
export class EndpointKey extends DatedRow {
  @Reference()
  @Index()
  endpointId!: number;

  @ManyToOne(() => Endpoint, { onDelete: 'CASCADE' })
  @JoinColumn()
  endpoint!: Relation<Endpoint>;

  /** The keyed hash. The key itself is shown once and stored nowhere. */
  @Column({ type: 'varchar', length: 64, unique: true })
  keyHash!: string;

  /** The end of the key; null for no end. */
  @Instant({ nullable: true })
  expiresAt!: Date | null;

  /** The last use, to the minute. */
  @Instant({ nullable: true })
  lastUsedAt!: Date | null;
}
