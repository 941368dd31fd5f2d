import { Column, PrimaryColumn } from 'typeorm';
import { Instant } from '../../platform/database/record.entity.js';

/**
 * What all stored documents share. Members of the JSON text that every caller sees alike stand in `body`, without the
 * braces around them; what depends on the caller stands beside it, and `source` last of all on the settings.
 */
export abstract class StoredDocument {
  /** The record's id. */
  @PrimaryColumn({ type: 'integer' })
  id!: number;

  /** When the record was made: the order of most lists. */
  @Instant()
  createdAt!: Date;

  @Column({ type: 'varchar', length: 255, nullable: true })
  source!: string | null;

  @Column({ type: 'text' })
  body!: string;
}
