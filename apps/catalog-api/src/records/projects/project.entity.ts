import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { ContactLink } from '../contacts/contact.entity.js';
import { Notes, PartOf, Position, PublishedRecord, Reference, Row } from '../../platform/database/record.entity.js';
import { UserLink } from '../../people/users/user.entity.js';

/** A research project, to which datasets and contracts belong. Published while one of its datasets is published. */
@Entity('projects')
@Index('projects_lower_name_idx', { synchronize: false })
@Index('projects_search_idx', { synchronize: false })
export class Project extends PublishedRecord {
  @Column({ type: 'varchar', length: 200, unique: true })
  acronym!: string;

  @Column({ type: 'varchar', length: 500, default: '' })
  name!: string;

  @Notes()
  description!: string | null;

  @Column({ type: 'boolean', default: false })
  hasInstitutionalEthicsApproval!: boolean;

  @Column({ type: 'boolean', default: false })
  hasNationalEthicsApproval!: boolean;

  @Notes()
  institutionalEthicsApprovalNotes!: string | null;

  @Notes()
  nationalEthicsApprovalNotes!: string | null;

  @Column({ type: 'date', nullable: true })
  startDate!: string | null;

  @Column({ type: 'date', nullable: true })
  endDate!: string | null;
}

/** A publication of a project. */
@Entity('publications')
export class Publication extends Row {
  @Reference()
  @Index()
  projectId!: number;

  @PartOf(() => Project)
  project!: Relation<Project>;

  @Position()
  position!: number;

  @Notes()
  citation!: string | null;

  @Notes()
  doi!: string | null;
}

/** An external contact of a project. */
@Entity('project_contacts')
export class ProjectContact extends ContactLink {
  @PrimaryColumn({ type: 'integer' })
  projectId!: number;

  @PartOf(() => Project)
  project!: Relation<Project>;
}

/** A local custodian of a project. A custodian holds the permission *protected* on the project. */
@Entity('project_custodians')
export class ProjectCustodian extends UserLink {
  @PrimaryColumn({ type: 'integer' })
  projectId!: number;

  @PartOf(() => Project)
  project!: Relation<Project>;
}

/** A user who works on a project. Personnel has no rights on the project. */
@Entity('project_personnel')
export class ProjectPersonnel extends UserLink {
  @PrimaryColumn({ type: 'integer' })
  projectId!: number;

  @PartOf(() => Project)
  project!: Relation<Project>;
}
