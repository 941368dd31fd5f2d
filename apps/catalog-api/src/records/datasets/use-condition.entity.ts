import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Notes, PartOf, Position, Reference, Row } from '../../platform/database/record.entity.js';
import { DataDeclaration } from './data-declaration.entity.js';

/** The effects of a use condition. */
export const useConditionRules = ['PROHIBITION', 'OBLIGATION', 'PERMISSION', 'CONSTRAINED_PERMISSION'] as const;

/** The consent codes of the GA4GH. */
export const useClassCodes = [
  ...['NRES', 'GRU', 'HMB', 'DS', 'POA', 'RS', 'RUO', 'NMDS', 'GSO', 'NPU', 'PUB', 'COL', 'RTN', 'IRB', 'GS', 'MOR'],
  ...['TS', 'US', 'PS', 'IS', 'IP', 'Other'],
] as const;

/** A consent code of the GA4GH with its label. The migrations contain the codes. */
@Entity('use_classes')
export class UseClass {
  @PrimaryColumn({ type: 'varchar', length: 20 })
  code!: string;

  @Column({ type: 'varchar', length: 200 })
  label!: string;

  /** The equivalent term of the Data Use Ontology, as in its IRI, or null. */
  @Column({ type: 'varchar', length: 20, nullable: true })
  duo!: string | null;
}

/** One condition under which the data of a declaration may be used. */
@Entity('use_conditions')
@Index('use_conditions_use_class_idx', { synchronize: false })
@Check('use_conditions_use_condition_rule_check', `use_condition_rule IN ('${useConditionRules.join("', '")}')`)
export class UseCondition extends Row {
  @Reference()
  @Index()
  dataDeclarationId!: number;

  @PartOf(() => DataDeclaration)
  dataDeclaration!: Relation<DataDeclaration>;

  @Position()
  position!: number;

  @Column({ type: 'varchar', length: 20 })
  useClass!: string;

  @ManyToOne(() => UseClass)
  @JoinColumn({ name: 'use_class' })
  useClassEntry!: Relation<UseClass>;

  @Notes()
  useClassNote!: string | null;

  @Notes()
  useConditionNote!: string | null;

  @Column({ type: 'varchar', length: 30, default: 'PROHIBITION' })
  useConditionRule!: (typeof useConditionRules)[number];
}
