import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Notes, PublishedRecord, Reference } from '../../platform/database/record.entity.js';
import { Project } from '../projects/project.entity.js';
import { User } from '../../people/users/user.entity.js';

/** A dataset, which is published while it has an active exposure. */
@Entity('datasets')
@Index('datasets_lower_name_idx', { synchronize: false })
@Index('datasets_search_idx', { synchronize: false })
export class Dataset extends PublishedRecord {
  @Column({ type: 'varchar', length: 500, unique: true })
  name!: string;

  @Notes()
  description!: string | null;

  @Column({ type: 'uuid', unique: true })
  uuid!: string;

  @Notes()
  otherExternalId!: string | null;

  @Reference({ nullable: true })
  @Index()
  projectId!: number | null;

  @ManyToOne(() => Project)
  @JoinColumn()
  project!: Relation<Project> | null;
}

/** A local custodian of a dataset. A custodian holds the permission *protected* on the dataset. */
@Entity('dataset_custodians')
export class DatasetCustodian {
  @PrimaryColumn({ type: 'integer' })
  datasetId!: number;

  @ManyToOne(() => Dataset, { onDelete: 'CASCADE' })
  @JoinColumn()
  dataset!: Relation<Dataset>;

  @PrimaryColumn({ type: 'integer' })
  @Index()
  userId!: number;

  @ManyToOne(() => User)
  @JoinColumn()
  user!: Relation<User>;
}
