import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Cohort } from '../cohorts/cohort.entity.js';
import { Contract } from '../contracts/contract.entity.js';
import { Instant } from '../database/record.entity.js';
import { Dataset } from '../datasets/dataset.entity.js';
import { Partner } from '../partners/partner.entity.js';
import { Project } from '../projects/project.entity.js';

/**
 * What all stored documents share. Members of the JSON text that every caller sees alike stand in `body`, without the
 * braces around them; what depends on the caller stands beside it, and `source` last of all on the settings.
 */
abstract class StoredDocument {
  /** The record's id. */
  @PrimaryColumn({ type: 'integer' })
  id!: number;

  /** When the record was made: the order of most lists. */
  @Instant()
  createdAt!: Date;

  @Column({ type: 'varchar', length: 255, nullable: true })
  source!: string | null;

  @Column({ type: 'text' })
  body!: string;
}

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

@Entity('contract_documents')
@Index(['createdAt', 'id'])
export class ContractDocument extends StoredDocument {
  @OneToOne(() => Contract, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'id' })
  contract!: Relation<Contract>;
}

@Entity('partner_documents')
@Index(['name', 'id'])
export class PartnerDocument extends StoredDocument {
  @OneToOne(() => Partner, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'id' })
  partner!: Relation<Partner>;

  /** Partners are listed by name. */
  @Column({ type: 'varchar', length: 500 })
  name!: string;

  @Column({ type: 'boolean' })
  published!: boolean;
}

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

/** The five lists that are served from stored documents. */
export const listNames = ['projects', 'datasets', 'contracts', 'partners', 'cohorts'] as const;

/** One of the five lists. */
export type ListName = (typeof listNames)[number];

/** Every list that callers read: the stored ones, and the list of people, which is read from the people's rows. */
export type ReadableList = ListName | 'users';
