import { Check, Entity, Index, PrimaryColumn, type Relation } from 'typeorm';
import { Notes, PartOf, Words } from '../../platform/database/record.entity.js';
import { DataDeclaration } from './data-declaration.entity.js';
import { DatasetPart } from './dataset.entity.js';

/** The legal bases of article 6 of the General Data Protection Regulation. */
export const legalBasisCodes = ['6.1(a)', '6.1(b)', '6.1(c)', '6.1(d)', '6.1(e)', '6.1(f)'] as const;

/** The kinds of personal data, including the special ones of article 9. */
export const personalDataCodes = [
  'Standard',
  'Special',
  'Genetic',
  'Race',
  'Biometric',
  'Health',
  'Sexual orientation',
  'Convictions',
  'Other',
] as const;

/** The legal basis on which a dataset, or some of its data declarations, is processed. */
@Entity('legal_bases')
@Check('legal_bases_legal_basis_codes_check', `legal_basis_codes <@ ARRAY['${legalBasisCodes.join("', '")}']`)
@Check('legal_bases_personal_data_codes_check', `personal_data_codes <@ ARRAY['${personalDataCodes.join("', '")}']`)
export class LegalBasis extends DatasetPart {
  @Words()
  legalBasisCodes!: (typeof legalBasisCodes)[number][];

  @Words()
  personalDataCodes!: (typeof personalDataCodes)[number][];

  @Notes()
  legalBasisNotes!: string | null;
}

/** A data declaration to which a legal basis applies. Without declarations, it applies to the whole dataset. */
@Entity('legal_basis_declarations')
export class LegalBasisDeclaration {
  @PrimaryColumn({ type: 'integer' })
  legalBasisId!: number;

  @PartOf(() => LegalBasis)
  legalBasis!: Relation<LegalBasis>;

  @PrimaryColumn({ type: 'integer' })
  @Index()
  dataDeclarationId!: number;

  @PartOf(() => DataDeclaration)
  dataDeclaration!: Relation<DataDeclaration>;
}
