import { Column, Entity, JoinColumn, OneToOne, type Relation } from 'typeorm';
import { maxNameLength } from '../../platform/database/lengths.js';
import { Row } from '../../platform/database/record.entity.js';
import { UseClass } from '../datasets/use-condition.entity.js';

/** The label of a consent code in this catalog, which an administrator set in the place of the default label. */
@Entity('use_class_labels')
export class UseClassLabel extends Row {
  @Column({ type: 'varchar', length: 20, unique: true })
  code!: string;

  @OneToOne(() => UseClass)
  @JoinColumn({ name: 'code' })
  useClass!: Relation<UseClass>;

  @Column({ type: 'varchar', length: maxNameLength })
  label!: string;
}
