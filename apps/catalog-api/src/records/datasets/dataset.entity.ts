import { Column, Entity, Exclusion, Index, PrimaryColumn, type Relation } from 'typeorm';
import { maxNameLength } from '../../platform/database/lengths.js';
import {
  Notes,
  PartOf,
  Position,
  PublishedRecord,
  Reference,
  RefersTo,
  Row,
} from '../../platform/database/record.entity.js';
import { Project } from '../projects/project.entity.js';
import { UserLink } from '../../people/users/user.entity.js';

/** A dataset, which is published while it has an active exposure. */
@Entity('datasets')
@Exclusion('datasets_name_key', 'USING hash (name WITH =)')
@Index('datasets_lower_name_idx', { synchronize: false })
@Index('datasets_search_idx', { synchronize: false })
export class Dataset extends PublishedRecord {
  @Column({ type: 'varchar', length: maxNameLength })
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

  @RefersTo(() => Project)
  project!: Relation<Project> | null;
}

/** A local custodian of a dataset. A custodian holds the permission *protected* on the dataset. */
@Entity('dataset_custodians')
export class DatasetCustodian extends UserLink {
  @PrimaryColumn({ type: 'integer' })
  datasetId!: number;

  @PartOf(() => Dataset)
  dataset!: Relation<Dataset>;
}

/** An item of a list of a dataset. */
export abstract class DatasetPart extends Row {
  @Reference()
  @Index()
  datasetId!: number;

  @PartOf(() => Dataset)
  dataset!: Relation<Dataset>;

  @Position()
  position!: number;
}
