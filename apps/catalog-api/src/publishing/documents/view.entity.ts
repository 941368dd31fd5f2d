import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ReadableList } from './list-names.js';

/**
 * The name of a view: all callers with the same view read the same records of a list in the same form.
 *
 * - `all`: every record, whole. `base`: contracts of projects with an exposure.
 * - `key`: partners and cohorts as callers with a key read them. `anonymous`: what callers without a key read; of
 *   projects and datasets the public linked data.
 * - `endpoint:<id>`: what is exposed to one endpoint. `user:<id>`: what one person holds as *protected*.
 * - `service:<id>`: what belongs to the projects of a limited service key. `service:<id>:base`: of its contracts those in
 *   the base set.
 */
export type View = 'all' | 'base' | 'key' | 'anonymous' | `endpoint:${string}` | `user:${string}` | `service:${string}`;

/**
 * A record as a view last read it, in any form that the view can read. Rows are written by the transaction that changes
 * the record, in the order of the commits, and only for views in which the record really changed.
 */
@Entity('view_records')
@Index('view_records_feed_idx', ['view', 'list', 'changedAt', 'recordId'])
@Index('view_records_withdrawn_idx', ['changedAt'], { where: 'digest IS NULL' })
export class ViewRecord {
  @PrimaryColumn({ type: 'varchar', length: 20 })
  list!: ReadableList;

  /** The record's id; the record may no longer exist. */
  @PrimaryColumn({ type: 'integer' })
  recordId!: number;

  @PrimaryColumn({ type: 'varchar', length: 40 })
  view!: View;

  /** The accession by which the view last knew the record. */
  @Column({ type: 'varchar', length: 255, nullable: true })
  externalId!: string | null;

  /** Digest of all that the view reads of the record; null if the record was withdrawn from the view. */
  @Column({ type: 'uuid', nullable: true })
  digest!: string | null;

  /** When the record last entered the view. */
  @Column({ type: 'timestamptz' })
  seenSince!: Date;

  /** When the record last changed for the view, or was withdrawn from it: the instant of `updated_since`. */
  @Column({ type: 'timestamptz' })
  changedAt!: Date;
}

/** The version of a list for one view. Tags of lists are made of the version; it is random, so that it counts nothing. */
@Entity('view_versions')
export class ViewVersion {
  @PrimaryColumn({ type: 'varchar', length: 40 })
  view!: View;

  @PrimaryColumn({ type: 'varchar', length: 20 })
  list!: ReadableList;

  @Column({ type: 'uuid' })
  version!: string;
}

/** What holds for all stored documents: one row. */
@Entity('document_state')
@Check('document_state_single_check', 'single')
export class DocumentState {
  @PrimaryColumn({ type: 'boolean', default: true })
  single!: boolean;

  /** Digest of the SQL and the settings that made documents and views; if it differs, all of them are made again. */
  @Column({ type: 'varchar', length: 64, default: '' })
  basis!: string;

  /** The last instant given to a change. The next one is later, even if the clock was set back. */
  @Column({ type: 'timestamptz', default: () => "'-infinity'" })
  noticedAt!: Date;
}
