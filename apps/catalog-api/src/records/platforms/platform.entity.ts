import { Column, Entity, Exclusion } from 'typeorm';
import { maxNameLength } from '../../platform/database/lengths.js';
import { DatedRow } from '../../platform/database/record.entity.js';

/** A system that stores data: a file server, an object store or a transfer service. */
@Entity('platforms')
@Exclusion('platforms_name_key', 'USING hash (name WITH =)')
export class Platform extends DatedRow {
  @Column({ type: 'varchar', length: maxNameLength })
  name!: string;

  /** Whether endpoints see the name of the platform and the paths on it. */
  @Column({ type: 'boolean', default: false })
  public!: boolean;
}
