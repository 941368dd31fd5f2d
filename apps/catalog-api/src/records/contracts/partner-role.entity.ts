import { Check, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { ContactLink } from '../contacts/contact.entity.js';
import { Notes, PartOf, Position, Reference, RefersTo, Row, Words } from '../../platform/database/record.entity.js';
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

  @PartOf(() => Contract)
  contract!: Relation<Contract>;

  @Position()
  position!: number;

  @Reference()
  @Index()
  partnerId!: number;

  @RefersTo(() => Partner)
  partner!: Relation<Partner>;

  @Words()
  roles!: (typeof partnerRoles)[number][];

  @Notes()
  comments!: string | null;
}

/** A contact at a partner of a contract. */
@Entity('partner_role_contacts')
export class PartnerRoleContact extends ContactLink {
  @PrimaryColumn({ type: 'integer' })
  partnerRoleId!: number;

  @PartOf(() => PartnerRole)
  partnerRole!: Relation<PartnerRole>;
}
