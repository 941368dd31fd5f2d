import { Column, Entity, Index, type Relation } from 'typeorm';
import { DatedRow, Instant, Notes, PartOf, Reference } from '../../platform/database/record.entity.js';
import { Dataset } from '../../records/datasets/dataset.entity.js';
import { Endpoint } from '../endpoints/endpoint.entity.js';

/**
 * A dataset shown to an endpoint, with the form by which access is requested. An exposure is active until it is
 * deprecated. A dataset has at most one active exposure to an endpoint and any number of deprecated exposures.
 */
@Entity('exposures')
@Index('exposures_active_key', ['datasetId', 'endpointId'], { unique: true, where: 'deprecated_at IS NULL' })
@Index(['datasetId', 'endpointId'])
@Index(['endpointId', 'datasetId'])
export class Exposure extends DatedRow {
  @Reference()
  datasetId!: number;

  @PartOf(() => Dataset)
  dataset!: Relation<Dataset>;

  @Reference()
  endpointId!: number;

  @PartOf(() => Endpoint)
  endpoint!: Relation<Endpoint>;

  /** Number of the form at the access-request system. */
  @Column({ type: 'integer' })
  formId!: number;

  @Column({ type: 'varchar', length: 500, nullable: true })
  formName!: string | null;

  @Column({ type: 'boolean', default: false })
  requestPdfEnabled!: boolean;

  /** The time of the withdrawal; null if the exposure is active. */
  @Instant({ nullable: true })
  deprecatedAt!: Date | null;

  @Notes()
  deprecationNotes!: string | null;
}
