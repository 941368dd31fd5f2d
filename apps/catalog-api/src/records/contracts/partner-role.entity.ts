import { Check, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Contact } from '../contacts/contact.entity.js';
import { Notes, Position, Reference, Row, Words } from '../../platform/database/record.entity.js';
import { Partner } from '../partners/partner.entity.js';
import { Contract } from './contract.entity.js';

/** The roles of a partner under the General Data Protection Regulation. */
export const partnerRoles = ['controller', 'joint_controller', 'processor'] as const;

/** The role of a partner in a contract. */
@Entity('partner_roles')
@Check('partner_roles_roles_check', `roles <@ ARRAY['${partnerRoles.join("', '")}']`)
export class PartnerRole extends Row {
  @Reference()
  @Index()
  contractId!: number;

  @ManyToOne(() => Contract, { onDelete: 'CASCADE' })
  @JoinColumn()
  contract!: Relation<Contract>;

  @Position()
  position!: number;

  @Reference()
  @Index()
  partnerId!: number;

  @ManyToOne(() => Partner)
  @JoinColumn()
  partner!: Relation<Partner>;

  @Words()
  roles!: (typeof partnerRoles)[number][];

  @Notes()
  comments!: string | null;
}

/** A contact at a partner of a contract. */
@Entity('partner_role_contacts')
export class PartnerRoleContact {
  @PrimaryColumn({ type: 'integer' })
  partnerRoleId!: number;

  @ManyToOne(() => PartnerRole, { onDelete: 'CASCADE' })
  @JoinColumn()
  partnerRole!: Relation<PartnerRole>;

  @PrimaryColumn({ type: 'integer' })
  @Index()
  contactId!: number;

  @ManyToOne(() => Contact)
  @JoinColumn()
  contact!: Relation<Contact>;

  @Position()
  position!: number;
}
