import { Column, Entity, Exclusion, Index, PrimaryColumn, type Relation } from 'typeorm';
import { maxNameLength } from '../../platform/database/lengths.js';
import { ContactLink } from '../contacts/contact.entity.js';
import { Notes, PartOf, PublishedRecord } from '../../platform/database/record.entity.js';
import { PartnerLink } from '../partners/partner.entity.js';

/** A group of study participants from whom data come. */
@Entity('cohorts')
@Exclusion('cohorts_name_key', 'USING hash (name WITH =)')
@Index('cohorts_lower_name_idx', { synchronize: false })
@Index('cohorts_search_idx', { synchronize: false })
export class Cohort extends PublishedRecord {
  @Column({ type: 'varchar', length: maxNameLength })
  name!: string;

  @Notes()
  description!: string | null;

  @Column({ type: 'varchar', length: 2000, nullable: true })
  url!: string | null;

  @Column({ type: 'boolean', default: false })
  hasEthicsApproval!: boolean;

  @Notes()
  ethicsApprovalNotes!: string | null;

  @Column({ type: 'boolean', default: false })
  published!: boolean;
}

/** An owner of a cohort. */
@Entity('cohort_contacts')
export class CohortContact extends ContactLink {
  @PrimaryColumn({ type: 'integer' })
  cohortId!: number;

  @PartOf(() => Cohort)
  cohort!: Relation<Cohort>;
}

/** A partner that runs a cohort. */
@Entity('cohort_institutes')
export class CohortInstitute extends PartnerLink {
  @PrimaryColumn({ type: 'integer' })
  cohortId!: number;

  @PartOf(() => Cohort)
  cohort!: Relation<Cohort>;
}
