import { Check, Column, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { maxNameLength } from '../../platform/database/lengths.js';
import { EditableRow, Notes, PartOf, Position, RefersTo } from '../../platform/database/record.entity.js';
import { PartnerLink } from '../partners/partner.entity.js';

/** The roles of an external contact. */
export const contactTypes = [
  'Researcher',
  'Principal_Investigator',
  'Data_Protection_Officer',
  'Data_Manager',
  'Legal_Representative',
  'Other',
] as const;

/** A person outside the organisation that runs the catalog. People of the organisation are users. */
@Entity('contacts')
@Index('contacts_name_idx', { synchronize: false })
@Index('contacts_search_idx', { synchronize: false })
@Check('contacts_type_check', `type IN ('${contactTypes.join("', '")}')`)
export class Contact extends EditableRow {
  @Column({ type: 'varchar', length: maxNameLength, default: '' })
  firstName!: string;

  @Column({ type: 'varchar', length: maxNameLength, default: '' })
  lastName!: string;

  @Column({ type: 'varchar', length: 254, nullable: true })
  email!: string | null;

  @Notes()
  address!: string | null;

  @Notes()
  phone!: string | null;

  @Column({ type: 'varchar', length: 40, default: 'Other' })
  type!: (typeof contactTypes)[number];

  /** The identifier of the contact at the identity provider (`oidc_id` in documents), if known. */
  @Column({ type: 'varchar', length: 255, nullable: true, unique: true })
  subject!: string | null;
}

/** A partner to which an external contact belongs. The first partner is the main affiliation. */
@Entity('contact_affiliations')
export class ContactAffiliation extends PartnerLink {
  @PrimaryColumn({ type: 'integer' })
  contactId!: number;

  @PartOf(() => Contact)
  contact!: Relation<Contact>;
}

/** A contact in the list of another row. */
export abstract class ContactLink {
  @PrimaryColumn({ type: 'integer' })
  @Index()
  contactId!: number;

  @RefersTo(() => Contact)
  contact!: Relation<Contact>;

  @Position()
  position!: number;
}
