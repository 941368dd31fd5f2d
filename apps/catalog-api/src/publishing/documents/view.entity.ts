import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ReadableList } from './list-names.js';

/**
 * The name of a view. All callers with the same view read the same records of a list in the same form.
 *
 * - `all`: every record with all members. `base`: contracts of projects with an exposure.
 * - `key`: partners and cohorts as callers with a key read them. `anonymous`: the records that callers without a key
 *   read; of projects and datasets, the public linked data.
 * - `endpoint:<id>`: the records that are exposed to an endpoint. `user:<id>`: the records that a person holds as
 *   *protected*.
 * - `service:<id>`: the records of the projects to which a service key is limited. `service:<id>:base`: the contracts
 *   of these projects in the base set.
 */
export type View = 'all' | 'base' | 'key' | 'anonymous' | `endpoint:${string}` | `user:${string}` | `service:${string}`;

/**
 * The state of a record in a view, of all forms that the view contains. The transaction that changes the record writes
 * the row, in the order of the commits, and only if the record changed in the view.
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

  /** The last accession of the record in the view. */
  @Column({ type: 'varchar', length: 255, nullable: true })
  externalId!: string | null;

  /** A digest of the record in the view; null if the record was withdrawn from the view. */
  @Column({ type: 'uuid', nullable: true })
  digest!: string | null;

  /** The time at which the record last entered the view. */
  @Column({ type: 'timestamptz' })
  seenSince!: Date;

  /** The time at which the record last changed in the view or was withdrawn from the view. `updated_since` compares this instant. */
  @Column({ type: 'timestamptz' })
  changedAt!: Date;
}

/** The version of a list in a view. Tags of lists contain the version. It is random, so that it reveals no count. */
@Entity('view_versions')
export class ViewVersion {
  @PrimaryColumn({ type: 'varchar', length: 40 })
  view!: View;

  @PrimaryColumn({ type: 'varchar', length: 20 })
  list!: ReadableList;

  @Column({ type: 'uuid' })
  version!: string;
}

/** The state of all stored documents, in one row. */
@Entity('document_state')
@Check('document_state_single_check', 'single')
export class DocumentState {
  @PrimaryColumn({ type: 'boolean', default: true })
  single!: boolean;

  /** The digest of the SQL and the settings that built documents and views. If it differs, both are rebuilt. */
  @Column({ type: 'varchar', length: 64, default: '' })
  basis!: string;

  /** The instant of the last change. The next change has a later instant, even if the clock was set back. */
  @Column({ type: 'timestamptz', default: () => "'-infinity'" })
  noticedAt!: Date;

  /** The identity of the change feed. A database that is filled again has another identity, so old cursors are refused. */
  @Column({ type: 'uuid' })
  feedId!: string;

  /** The time before which withdrawals may have been removed. A feed cannot continue from an earlier time. */
  @Column({ type: 'timestamptz', default: () => "'-infinity'" })
  sweptUntil!: Date;
}
