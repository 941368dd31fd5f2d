import type { Raw, RawRecord } from '../raw-values.js';

/** The kinds of records that are migrated, in the order of the migration. Each is a type of the backup. */
export type SourceKindName =
  | 'user'
  | 'partner'
  | 'contact'
  | 'cohort'
  | 'platform'
  | 'project'
  | 'dataset'
  | 'contract'
  | 'endpoint'
  | 'exposure'
  | 'grant'
  | 'access';

/** A record in the backup format. `metadata` is the text of a JSON object, which may contain numbers of any length. */
export interface MigratedRecord {
  readonly id: number;
  readonly metadata?: string;
  readonly [column: string]: unknown;
}

/** The reason for which a record is left out. */
export interface LeftOut {
  readonly leftOut: string;
}

/** The keys of an endpoint in the backup format. */
export interface MigratedKeys {
  readonly keys: readonly { readonly key_hash: string }[];
  readonly imported_keys: readonly { readonly sealed_hash: string; readonly expires_at: string }[];
}

/** The part of a migration that conversions use. */
export interface Conversion {
  /** Returns those of some ids whose records are imported, and reports the others. */
  present(record: RawRecord, kind: SourceKindName, ids: unknown, what: string): number[];
  /** Returns the keyed hash under which the catalog stores a key. */
  hash(key: string): string;
  /** Whether endpoints see the name of a platform and the paths on it. */
  isPublic(platform: string): boolean;
  /** Returns the keys of an endpoint. */
  endpointKeys(endpoint: number): MigratedKeys;
}

/** A kind of record of a DAISY. */
export interface SourceKind {
  readonly kind: SourceKindName;
  /** The plural, as in the audit trail. */
  readonly resource: string;
  /** The SQL of the complete record without secrets, as jsonb. The audit trail keeps it. */
  readonly row: string;
  /** The SQL of other values for the conversion, as jsonb. */
  readonly hidden?: string;
  /** The SQL after `FROM`, with the records in the order of their ids. */
  readonly from: string;
  /** Converts a record to the backup format, and reports the values that cannot be imported unchanged. */
  readonly convert: (record: RawRecord, conversion: Conversion, hidden: Raw) => MigratedRecord | LeftOut;
}

/** Returns the members that every record has in both systems. */
export function rowMembers({ raw }: RawRecord): { id: number; created_at: unknown; updated_at: unknown } {
  return { id: Number(raw['id']), created_at: raw['added'], updated_at: raw['updated'] };
}

/** Returns the SQL of the ids in a link table, in the order of DAISY's answers. */
export function linkedIds(
  { table, parent, value }: { readonly table: string; readonly parent: string; readonly value: string },
  linked: string,
  order: string,
): string {
  return `ARRAY(SELECT link.${value} FROM ${table} AS link JOIN ${linked} AS linked ON linked.id = link.${value}
    WHERE link.${parent} = record.id ORDER BY ${order}, linked.id)`;
}

/** Returns the SQL of the documents that are attached to a record. The files stay in DAISY. */
export function documentsOf(model: string): string {
  return `coalesce((SELECT jsonb_agg(to_jsonb(document) - ARRAY['content_type_id', 'object_id'] ORDER BY document.id)
    FROM core_document AS document JOIN django_content_type AS type ON type.id = document.content_type_id
    WHERE type.app_label = 'core' AND type.model = '${model}' AND document.object_id = record.id), '[]')`;
}
