import { Column, Entity, Index, JoinColumn, OneToOne, type Relation } from 'typeorm';
import { StoredDocument } from '../../publishing/documents/base-document.entity.js';
import { Project } from './project.entity.js';

/** The stored document of a project. */
@Entity('project_documents')
@Index(['createdAt', 'id'])
export class ProjectDocument extends StoredDocument {
  @OneToOne(() => Project, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'id' })
  project!: Relation<Project>;

  /** The project as JSON-LD, as far as that is the same for every caller, without the braces around its members. */
  @Column({ type: 'text', default: '' })
  linked!: string;
}
