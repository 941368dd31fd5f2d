import { Column, Entity, Index, JoinColumn, OneToOne, type Relation } from 'typeorm';
import { BaseDocument } from '../../publishing/documents/base-document.entity.js';
import { Dataset } from './dataset.entity.js';

/** The stored document of a dataset. */
@Entity('dataset_documents')
@Index('dataset_documents_words_idx', { synchronize: false })
@Index(['createdAt', 'id'])
export class DatasetDocument extends BaseDocument {
  @OneToOne(() => Dataset, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'id' })
  dataset!: Relation<Dataset>;

  /** The complete array `storages`. */
  @Column({ type: 'text' })
  storages!: string;

  /** The array `storages` for endpoints, without names and paths of platforms that are not public. */
  @Column({ type: 'text' })
  publicStorages!: string;

  /** The members of the JSON-LD that are the same for every caller, as JSON without the outer braces. */
  @Column({ type: 'text', default: '' })
  linked!: string;
}
