import { Column, Entity, Index, JoinColumn, OneToOne, type Relation } from 'typeorm';
import { BaseDocument } from '../../publishing/documents/base-document.entity.js';
import { Cohort } from './cohort.entity.js';

/** The stored document of a cohort. */
@Entity('cohort_documents')
@Index('cohort_documents_words_idx', { synchronize: false })
@Index(['createdAt', 'id'])
export class CohortDocument extends BaseDocument {
  @OneToOne(() => Cohort, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'id' })
  cohort!: Relation<Cohort>;

  /** The complete members `contacts` and `institutes`. */
  @Column({ type: 'text' })
  people!: string;

  /**
   * The members `contacts` and `institutes` for callers without a key, without contact details and unpublished
   * institutes.
   */
  @Column({ type: 'text' })
  publicPeople!: string;

  @Column({ type: 'boolean' })
  published!: boolean;
}
