import { Column, Entity } from 'typeorm';
import { DatedRow } from '../../platform/database/record.entity.js';

/** A system that stores data: a file server, an object store or a transfer service. */
@Entity('platforms')
export class Platform extends DatedRow {
  @Column({ type: 'varchar', length: 200, unique: true })
  name!: string;

  /** Whether endpoints see the name of the platform and the paths on it. */
  @Column({ type: 'boolean', default: false })
  public!: boolean;
}
