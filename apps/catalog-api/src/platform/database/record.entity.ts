import { applyDecorators } from '@nestjs/common';
import { Column, JoinColumn, ManyToOne, PrimaryGeneratedColumn, UpdateDateColumn, type ColumnOptions } from 'typeorm';

/** A row with an id. A backup contains the id, and an import of the backup keeps it. */
export abstract class Row {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id!: number;
}

/** A column with an instant to the millisecond, the precision of a JavaScript date. */
export function Instant(options: ColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'timestamptz', precision: 3, ...options });
}

/** A row with the times of its creation and of its last change. */
export abstract class DatedRow extends Row {
  @Instant({ default: () => 'now()' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}

/** A key or secret of a program. During a rotation, the program has two. */
export abstract class HashedKey extends DatedRow {
  /** The keyed hash. The key itself is shown once and stored nowhere. */
  @Column({ type: 'varchar', length: 64, unique: true })
  keyHash!: string;

  /** The end of the key; null for no end. */
  @Instant({ nullable: true })
  expiresAt!: Date | null;

  /** The last use, to the minute. */
  @Instant({ nullable: true })
  lastUsedAt!: Date | null;
}

/** A row that several people may edit. Each change increases `version`, with which `If-Match` is compared. */
export abstract class EditableRow extends DatedRow {
  @Column({ type: 'integer', default: 1 })
  version!: number;
}

/** A record with an accession, a source and free metadata: a project, dataset, partner or cohort. */
export abstract class PublishedRecord extends EditableRow {
  /** The accession, which never changes after it was assigned. */
  @Column({ type: 'varchar', length: 255, nullable: true, unique: true })
  externalId!: string | null;

  /** The origin of an imported record. null for a record of this catalog, which is exported with `SERVER_URL`. */
  @Column({ type: 'varchar', length: 255, nullable: true })
  source!: string | null;

  @Column({ type: 'jsonb', default: {} })
  metadata!: unknown;
}

/** A column with the index of a row in its list, from 0. */
export function Position(): PropertyDecorator {
  return Column({ type: 'integer', default: 0 });
}

/** A column with free text of any length, or null. */
export function Notes(): PropertyDecorator {
  return Column({ type: 'text', nullable: true });
}

/** A column with a list of words. */
export function Words(): PropertyDecorator {
  return Column({ type: 'text', array: true, default: [] });
}

/** A column with the id of another row. */
export function Reference(options: ColumnOptions = {}): PropertyDecorator {
  return Column({ type: 'integer', ...options });
}

/** A relation to the row to which this row belongs. Removing that row removes this row. */
export function PartOf(target: () => new () => object): PropertyDecorator {
  return applyDecorators(ManyToOne(target, { onDelete: 'CASCADE' }), JoinColumn());
}

/** A relation to another row, which cannot be removed while this row exists. */
export function RefersTo(target: () => new () => object): PropertyDecorator {
  return applyDecorators(ManyToOne(target), JoinColumn());
}
