import { Entity, Index, JoinColumn, OneToOne, type Relation } from 'typeorm';
import { BaseDocument } from '../../publishing/documents/base-document.entity.js';
import { Contract } from './contract.entity.js';

/** The stored document of a contract. */
@Entity('contract_documents')
@Index('contract_documents_words_idx', { synchronize: false })
@Index(['createdAt', 'id'])
export class ContractDocument extends BaseDocument {
  @OneToOne(() => Contract, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'id' })
  contract!: Relation<Contract>;
}
