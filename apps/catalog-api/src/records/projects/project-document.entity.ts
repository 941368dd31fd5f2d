import { Column, Entity, Index, JoinColumn, OneToOne, type Relation } from 'typeorm';
import { BaseDocument } from '../../publishing/documents/base-document.entity.js';
import { Project } from './project.entity.js';

/** The stored document of a project. */
@Entity('project_documents')
@Index('project_documents_words_idx', { synchronize: false })
@Index(['createdAt', 'id'])
export class ProjectDocument extends BaseDocument {
  @OneToOne(() => Project, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'id' })
  project!: Relation<Project>;

  /** The members of the JSON-LD that are the same for every caller, as JSON without the outer braces. */
  @Column({ type: 'text', default: '' })
  linked!: string;
}
