import { Column, Entity, Index, type Relation } from 'typeorm';
import { Notes, Reference, RefersTo } from '../../platform/database/record.entity.js';
import { Partner } from '../partners/partner.entity.js';
import { DatasetPart } from './dataset.entity.js';

/** A transfer of a dataset to a partner or from a partner. */
@Entity('transfers')
export class Transfer extends DatasetPart {
  @Reference({ nullable: true })
  @Index()
  partnerId!: number | null;

  @RefersTo(() => Partner)
  partner!: Relation<Partner> | null;

  @Notes()
  transferDetails!: string | null;

  @Column({ type: 'date', nullable: true })
  transferDate!: string | null;
}
