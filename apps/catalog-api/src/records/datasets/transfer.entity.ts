import { Column, Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { Notes, Position, Reference, Row } from '../../platform/database/record.entity.js';
import { Partner } from '../partners/partner.entity.js';
import { Dataset } from './dataset.entity.js';

/** A transfer of a dataset to a partner or from a partner. */
@Entity('transfers')
export class Transfer extends Row {
  @Reference()
  @Index()
  datasetId!: number;

  @ManyToOne(() => Dataset, { onDelete: 'CASCADE' })
  @JoinColumn()
  dataset!: Relation<Dataset>;

  @Position()
  position!: number;

  @Reference({ nullable: true })
  @Index()
  partnerId!: number | null;

  @ManyToOne(() => Partner)
  @JoinColumn()
  partner!: Relation<Partner> | null;

  @Notes()
  transferDetails!: string | null;

  @Column({ type: 'date', nullable: true })
  transferDate!: string | null;
}
