import { Column, Entity, Index, JoinColumn, OneToOne, type Relation } from 'typeorm';
import { BaseDocument } from '../../publishing/documents/base-document.entity.js';
import { Partner } from './partner.entity.js';

/** The stored document of a partner. */
@Entity('partner_documents')
@Index('partner_documents_words_idx', { synchronize: false })
@Index(['name', 'id'])
export class PartnerDocument extends BaseDocument {
  @OneToOne(() => Partner, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'id' })
  partner!: Relation<Partner>;

  /** The first characters of the name, by which the list is ordered. */
  @Column({ type: 'varchar', length: 500 })
  name!: string;

  @Column({ type: 'boolean' })
  published!: boolean;
}
