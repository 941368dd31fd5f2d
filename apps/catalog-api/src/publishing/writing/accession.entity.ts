import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ListName } from '../documents/list-names.js';

/**
 * An accession that was given to a record. The row remains after the removal of the record, so that no record of another
 * kind gets the accession. Triggers write the rows.
 */
@Entity('accessions')
export class Accession {
  @PrimaryColumn({ type: 'varchar', length: 255 })
  accession!: string;

  /** The list of the record. */
  @Column({ type: 'varchar', length: 20 })
  list!: ListName;
}
