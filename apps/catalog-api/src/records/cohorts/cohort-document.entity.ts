import { Column, Entity, Index, JoinColumn, OneToOne, type Relation } from 'typeorm';
import { StoredDocument } from '../../publishing/documents/base-document.entity.js';
import { Cohort } from './cohort.entity.js';

/** The stored document of a cohort. */
@Entity('cohort_documents')
@Index(['createdAt', 'id'])
export class CohortDocument extends StoredDocument {
  @OneToOne(() => Cohort, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'id' })
  cohort!: Relation<Cohort>;

  /** The members `contacts` and `institutes` in full. */
  @Column({ type: 'text' })
  people!: string;

  /** The same for callers without a key: no contact details, no unpublished institute. */
  @Column({ type: 'text' })
  publicPeople!: string;

  @Column({ type: 'boolean' })
  published!: boolean;
}
