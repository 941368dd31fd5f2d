import { Check, Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { maxNameLength } from '../../platform/database/lengths.js';
import { Cohort } from '../cohorts/cohort.entity.js';
import { Notes, PartOf, Position, Reference, RefersTo, Row, Words } from '../../platform/database/record.entity.js';
import { Partner } from '../partners/partner.entity.js';
import { Dataset } from './dataset.entity.js';

/** The categories of access to data. */
export const accessCategories = ['open_access', 'registered_access', 'controlled_access'] as const;

/** The categories of participants from whom data come. */
export const subjectsCategories = ['unknown', 'cases', 'controls', 'cases_and_controls'] as const;

/** The methods by which identities are removed. */
export const deIdentifications = ['anonymization', 'pseudonymization'] as const;

/** Whether all participants gave the same consent. An unknown status is null. */
export const consentStatuses = ['heterogeneous', 'homogeneous'] as const;

/** The description of one part of a dataset: its content, its participants and its conditions of use. */
@Entity('data_declarations')
@Index('data_declarations_data_types_idx', { synchronize: false })
@Index('data_declarations_dataset_id_title_key', { synchronize: false })
@Check('data_declarations_access_category_check', `access_category IN ('${accessCategories.join("', '")}')`)
@Check('data_declarations_subjects_category_check', `subjects_category IN ('${subjectsCategories.join("', '")}')`)
@Check('data_declarations_de_identification_check', `de_identification IN ('${deIdentifications.join("', '")}')`)
@Check('data_declarations_consent_status_check', `consent_status IN ('${consentStatuses.join("', '")}')`)
export class DataDeclaration extends Row {
  @Reference()
  datasetId!: number;

  @PartOf(() => Dataset)
  dataset!: Relation<Dataset>;

  @Position()
  position!: number;

  @Column({ type: 'varchar', length: maxNameLength })
  title!: string;

  @Words()
  dataTypes!: string[];

  @Notes()
  dataTypesNotes!: string | null;

  @Column({ type: 'varchar', length: 20, nullable: true })
  accessCategory!: (typeof accessCategories)[number] | null;

  @Notes()
  accessProcedure!: string | null;

  @Column({ type: 'varchar', length: 20, default: 'cases_and_controls' })
  subjectsCategory!: (typeof subjectsCategories)[number];

  @Column({ type: 'varchar', length: 20, default: 'pseudonymization' })
  deIdentification!: (typeof deIdentifications)[number];

  @Column({ type: 'varchar', length: 20, nullable: true })
  consentStatus!: (typeof consentStatuses)[number] | null;

  @Column({ type: 'boolean', nullable: true })
  hasSpecialSubjects!: boolean | null;

  @Notes()
  specialSubjectsDescription!: string | null;

  @Column({ type: 'date', nullable: true })
  embargoDate!: string | null;

  @Column({ type: 'date', nullable: true })
  storageEndDate!: string | null;

  @Notes()
  storageDurationCriteria!: string | null;

  /** The partner that provided the data, which is published if the dataset is exposed. */
  @Reference({ nullable: true })
  @Index()
  partnerId!: number | null;

  @RefersTo(() => Partner)
  partner!: Relation<Partner> | null;
}

/** A cohort whose data a declaration holds. */
@Entity('data_declaration_cohorts')
export class DataDeclarationCohort {
  @PrimaryColumn({ type: 'integer' })
  dataDeclarationId!: number;

  @PartOf(() => DataDeclaration)
  dataDeclaration!: Relation<DataDeclaration>;

  @PrimaryColumn({ type: 'integer' })
  @Index()
  cohortId!: number;

  @RefersTo(() => Cohort)
  cohort!: Relation<Cohort>;

  @Position()
  position!: number;
}
