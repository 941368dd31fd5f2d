import { Check, Column, Entity, Index, Unique, type Relation } from 'typeorm';
import { Contract } from '../../records/contracts/contract.entity.js';
import { Instant, PartOf, Reference, Row } from '../../platform/database/record.entity.js';
import { Dataset } from '../../records/datasets/dataset.entity.js';
import { Project } from '../../records/projects/project.entity.js';
import { User } from '../../people/users/user.entity.js';

/** The permission *protected* on one record, for a user who is not a custodian of the record. */
@Entity('grants')
@Unique(['userId', 'projectId'])
@Unique(['userId', 'datasetId'])
@Unique(['userId', 'contractId'])
@Check('grants_record_check', 'num_nonnulls(project_id, dataset_id, contract_id) = 1')
export class Grant extends Row {
  @Reference()
  userId!: number;

  @PartOf(() => User)
  user!: Relation<User>;

  @Reference({ nullable: true })
  @Index()
  projectId!: number | null;

  @PartOf(() => Project)
  project!: Relation<Project> | null;

  @Reference({ nullable: true })
  @Index()
  datasetId!: number | null;

  @PartOf(() => Dataset)
  dataset!: Relation<Dataset> | null;

  @Reference({ nullable: true })
  @Index()
  contractId!: number | null;

  @PartOf(() => Contract)
  contract!: Relation<Contract> | null;

  /** The caller who created the grant, as named in the audit trail. */
  @Column({ type: 'varchar', length: 255 })
  grantedBy!: string;

  @Instant({ default: () => 'now()' })
  createdAt!: Date;
}
