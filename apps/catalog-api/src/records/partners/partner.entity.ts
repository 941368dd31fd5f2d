import { Check, Column, Entity, Exclusion, Index, PrimaryColumn, type Relation } from 'typeorm';
import { maxNameLength } from '../../platform/database/lengths.js';
import { Notes, Position, PublishedRecord, RefersTo } from '../../platform/database/record.entity.js';

/** The geographical categories of partners. */
export const geoCategories = ['EU', 'Non_EU', 'International', 'National'] as const;

/** The sectors of partners: public, private non-profit and private for-profit. */
export const sectorCategories = ['PUBLIC', 'PRIVATE_NP', 'PRIVATE_P'] as const;

/** An organisation that provides data, receives data or signs contracts about data. */
@Entity('partners')
@Exclusion('partners_name_key', 'USING hash (name WITH =)')
@Index('partners_acronym_idx', { synchronize: false })
@Index('partners_lower_name_idx', { synchronize: false })
@Index('partners_search_idx', { synchronize: false })
@Check('partners_geo_category_check', `geo_category IN ('${geoCategories.join("', '")}')`)
@Check('partners_sector_category_check', `sector_category IN ('${sectorCategories.join("', '")}')`)
@Check('partners_country_code_check', `country_code ~ '^[A-Z]{2}$'`)
export class Partner extends PublishedRecord {
  @Column({ type: 'varchar', length: maxNameLength })
  name!: string;

  @Column({ type: 'varchar', length: maxNameLength, nullable: true })
  acronym!: string | null;

  @Column({ type: 'boolean', default: false })
  isClinical!: boolean;

  @Column({ type: 'varchar', length: 20, default: 'EU' })
  geoCategory!: (typeof geoCategories)[number];

  @Column({ type: 'varchar', length: 20, default: 'PUBLIC' })
  sectorCategory!: (typeof sectorCategories)[number];

  @Notes()
  address!: string | null;

  /** The country, as an ISO 3166-1 alpha-2 code. */
  @Column({ type: 'varchar', length: 2, nullable: true })
  countryCode!: string | null;

  @Column({ type: 'boolean', default: false })
  published!: boolean;
}

/** A partner in the list of another row. */
export abstract class PartnerLink {
  @PrimaryColumn({ type: 'integer' })
  @Index()
  partnerId!: number;

  @RefersTo(() => Partner)
  partner!: Relation<Partner>;

  @Position()
  position!: number;
}
