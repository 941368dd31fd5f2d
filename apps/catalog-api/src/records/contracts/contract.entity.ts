import { Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { EditableRow, Notes, PartOf, Reference, RefersTo } from '../../platform/database/record.entity.js';
import { Project } from '../projects/project.entity.js';
import { UserLink } from '../../people/users/user.entity.js';

/** An agreement with partners about the data of a project. */
@Entity('contracts')
@Index('contracts_lower_name_idx', { synchronize: false })
@Index('contracts_search_idx', { synchronize: false })
export class Contract extends EditableRow {
  @Column({ type: 'varchar', length: 200, default: '' })
  name!: string;

  @Notes()
  comments!: string | null;

  @Column({ type: 'varchar', length: 255, nullable: true })
  source!: string | null;

  @Reference({ nullable: true })
  @Index()
  projectId!: number | null;

  @RefersTo(() => Project)
  project!: Relation<Project> | null;
}

/** A local custodian of a contract. A custodian holds the permission *protected* on the contract. */
@Entity('contract_custodians')
export class ContractCustodian extends UserLink {
  @PrimaryColumn({ type: 'integer' })
  contractId!: number;

  @PartOf(() => Contract)
  contract!: Relation<Contract>;
}
