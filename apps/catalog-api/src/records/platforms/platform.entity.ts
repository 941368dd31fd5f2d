import { Column, Entity } from 'typeorm';
import { DatedRow } from '../../platform/database/record.entity.js';

/** A place where data is kept: a file server, an object store, a transfer service. */
@Entity('platforms')
export class Platform extends DatedRow {
  @Column({ type: 'varchar', length: 200, unique: true })
  name!: string;

  /** Only the name and paths of public platforms are shown to an endpoint. */
  @Column({ type: 'boolean', default: false })
  public!: boolean;
}
