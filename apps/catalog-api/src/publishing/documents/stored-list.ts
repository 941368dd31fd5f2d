import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { documentTables, listNames, type ListName } from './list-names.js';

/** How the documents of one list are built and kept. */
export interface StoredList {
  readonly name: ListName;
  /** The SQL that builds them: `$1` ids or null for all, `$2` name of the home organisation or null. */
  readonly build: string;
  /** The SQL that gives the views that read them and digests of what each view reads: `$1` ids, `$2` PROTECTED_INHERITS. */
  readonly views: string;
  /** The SQL that builds their JSON-LD, of the same ids, where they have one. */
  readonly linked?: string;
  /** Columns whose JSON is kept as text, without the braces around its members. */
  readonly members: readonly string[];
  /** Columns whose JSON is kept as text, whole. */
  readonly values: readonly string[];
  /** Columns kept as they are. */
  readonly plain: readonly string[];
}

/** The five lists. The composition root provides them, because the SQL of a document belongs to the kind of record. */
export type StoredLists = Readonly<Record<ListName, StoredList>>;

/** Injection token of the `StoredLists`. */
export const STORED_LISTS = Symbol('STORED_LISTS');

const sqlOf = (file: string): string => readFileSync(new URL(`./${file}`, import.meta.url), 'utf8');

/** The statement that gives the documents that depend on given records. */
export const affectedSql = sqlOf('affected.sql');

/** The statement that gives the records whose views follow from exposures and rights. */
export const followersSql = sqlOf('followers.sql');

/**
 * The statement that rebuilds documents and leaves those alone that come out the same. `OFFSET 0` has each document made
 * once, not once for each place where its text is used.
 */
export function upsertSql({ name, build, linked, members, values, plain }: StoredList): string {
  const kept = ['source', ...plain, ...members, ...values];
  const made = [
    'source',
    ...plain,
    ...members.map((column) => `substr(${column}::text, 2, length(${column}::text) - 2)`),
    ...values.map((column) => `${column}::text`),
  ];
  const built = linked ? `SELECT * FROM (${build}) AS record JOIN (${linked}) AS linked USING (id)` : build;
  return `
    INSERT INTO ${documentTables[name]} AS kept (id, created_at, ${kept.join(', ')})
    SELECT id, created_at, ${made.join(', ')} FROM (${built} OFFSET 0) AS built
    ON CONFLICT (id) DO UPDATE SET
      created_at = excluded.created_at,
      ${kept.map((column) => `${column} = excluded.${column}`).join(', ')}
    WHERE (kept.created_at, ${kept.map((column) => `kept.${column}`).join(', ')})
      IS DISTINCT FROM (excluded.created_at, ${kept.map((column) => `excluded.${column}`).join(', ')})`;
}

/** Settings that decide what documents and views hold. */
export interface DocumentSettings {
  readonly homeOrganisation: string | null;
  /** `PROTECTED_INHERITS` */
  readonly inherits: boolean;
}

/** A digest of all that documents and views are made with beside the records: if it differs, they must be made again. */
export function documentBasis(lists: StoredLists, { homeOrganisation, inherits }: DocumentSettings): string {
  const digest = createHash('sha256').update(JSON.stringify([homeOrganisation, inherits]));
  for (const name of listNames) digest.update(upsertSql(lists[name])).update(lists[name].views);
  return digest.digest('hex');
}
