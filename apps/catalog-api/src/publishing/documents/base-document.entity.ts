import { Column, PrimaryColumn } from 'typeorm';
import { Instant } from '../../platform/database/record.entity.js';

/**
 * The common columns of stored documents. `body` has the members that are the same for every caller, as JSON text
 * without braces. Members that depend on the caller have separate columns, and `source` can depend on the settings.
 */
export abstract class BaseDocument {
  /** The record's id. */
  @PrimaryColumn({ type: 'integer' })
  id!: number;

  /** The creation time of the record. Most lists have this order. */
  @Instant()
  createdAt!: Date;

  @Column({ type: 'varchar', length: 255, nullable: true })
  source!: string | null;

  @Column({ type: 'text' })
  body!: string;

  /** The words of the text that every reader with a session sees, for searches. */
  @Column({ type: 'tsvector', default: '', select: false })
  words!: string;
}
