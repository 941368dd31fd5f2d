import { Column, Entity, Index, JoinColumn, OneToOne, type Relation } from 'typeorm';
import { StoredDocument } from '../../publishing/documents/base-document.entity.js';
import { Dataset } from './dataset.entity.js';

/** The stored document of a dataset. */
@Entity('dataset_documents')
@Index(['createdAt', 'id'])
export class DatasetDocument extends StoredDocument {
  @OneToOne(() => Dataset, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'id' })
  dataset!: Relation<Dataset>;

  /** The array `storages` in full. */
  @Column({ type: 'text' })
  storages!: string;

  /** The array `storages` as endpoints see it: no path and no name of a platform that is not public. */
  @Column({ type: 'text' })
  publicStorages!: string;

  /** The dataset as JSON-LD, as far as that is the same for every caller, without the braces around its members. */
  @Column({ type: 'text', default: '' })
  linked!: string;
}
