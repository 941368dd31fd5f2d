import { Column, PrimaryGeneratedColumn, UpdateDateColumn, type ColumnOptions } from 'typeorm';

/** What every row has: an id of ours, which a backup brings along. */
export abstract class Row {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id!: number;
}

/** An instant, to the millisecond, so that it survives being a JavaScript date. */
export function Instant(options: ColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'timestamptz', precision: 3, ...options });
}

/** A row that remembers when it was made and last changed. */
export abstract class DatedRow extends Row {
  @Instant({ default: () => 'now()' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}

/** A row that several people may edit: each change moves `version`, which `If-Match` is compared with. */
export abstract class EditableRow extends DatedRow {
  @Column({ type: 'integer', default: 1 })
  version!: number;
}

/** One of the four kinds of published record: it has an accession, a source and free metadata. */
export abstract class PublishedRecord extends EditableRow {
  /** The accession: never changes once given. */
  @Column({ type: 'varchar', length: 255, nullable: true, unique: true })
  externalId!: string | null;

  /** Where an imported record came from; null for our own, which are exported with `SERVER_URL`. */
  @Column({ type: 'varchar', length: 255, nullable: true })
  source!: string | null;

  @Column({ type: 'jsonb', default: {} })
  metadata!: unknown;
}

/** The place of a row among its siblings, from 0: lists keep the order in which they were written. */
export function Position(): PropertyDecorator {
  return Column({ type: 'integer', default: 0 });
}

/** Free text of any length; null when there is none. */
export function Notes(): PropertyDecorator {
  return Column({ type: 'text', nullable: true });
}

/** A set of words. */
export function Words(): PropertyDecorator {
  return Column({ type: 'text', array: true, default: [] });
}

/** A column that refers to another row by its id. */
export function Reference(options: ColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'integer', ...options });
}
