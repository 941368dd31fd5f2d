import { Column, Entity, Index, type Relation } from 'typeorm';
import { DatedRow, HashedKey, Instant, PartOf, Reference } from '../../platform/database/record.entity.js';

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
export class EndpointKey extends HashedKey {
  @Reference()
  @Index()
  endpointId!: number;

  @PartOf(() => Endpoint)
  endpoint!: Relation<Endpoint>;
}

/** A key of an endpoint from another system, until its first use. The first use replaces it by a key of the endpoint. */
@Entity('imported_endpoint_keys')
export class ImportedEndpointKey extends DatedRow {
  @Reference()
  @Index()
  endpointId!: number;

  @PartOf(() => Endpoint)
  endpoint!: Relation<Endpoint>;

  /** The encrypted hash of the other system, because its salt is a secret of that system. */
  @Column({ type: 'text' })
  sealedHash!: string;

  /** The end of the time in which the key is accepted. */
  @Instant()
  expiresAt!: Date;
}
