import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { documentTables, listNames, type ListName } from './list-names.js';

/** The SQL and the columns of the documents of one list. */
export interface StoredList {
  readonly name: ListName;
  /** The SQL that builds the documents: `$1` ids or null for all, `$2` name of the home organisation or null. */
  readonly build: string;
  /** The SQL that returns the views of the documents and a digest per view: `$1` ids, `$2` PROTECTED_INHERITS. */
  readonly views: string;
  /** The SQL that builds the JSON-LD of the same ids, if the list has this form. */
  readonly linked?: string;
  /** Columns that store JSON objects as text without braces. */
  readonly members: readonly string[];
  /** Columns that store JSON values as text. */
  readonly values: readonly string[];
  /** Columns that store values unchanged. */
  readonly plain: readonly string[];
}

/** The lists. The composition root provides them, because the SQL of a document belongs to the kind of record. */
export type StoredLists = Readonly<Record<ListName, StoredList>>;

/** Injection token of the `StoredLists`. */
export const STORED_LISTS = Symbol('STORED_LISTS');

const sqlOf = (file: string): string => readFileSync(new URL(`./${file}`, import.meta.url), 'utf8');

/** The statement that returns the documents that depend on changed records. */
export const affectedSql = sqlOf('affected.sql');

/** The statement that returns the records whose views depend on changed exposures and rights. */
export const followersSql = sqlOf('followers.sql');

/**
 * Returns the statement that rebuilds documents and does not update equal ones. `OFFSET 0` prevents the planner from
 * building a document once for each use of its text.
 */
export function upsertSql({ name, build, linked, members, values, plain }: StoredList): string {
  const kept = ['words', 'source', ...plain, ...members, ...values];
  const searched = [...members, ...values].filter(isSearched);
  const made = [
    `document_words(${searched.map((column) => `${column}::jsonb`).join(', ')})`,
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

/** Whether a search covers a column. The text of the other columns repeats text, or contains markup. */
function isSearched(column: string): boolean {
  return column !== 'linked' && !column.startsWith('public_');
}

/** The settings that determine documents and views. */
export interface DocumentSettings {
  readonly homeOrganisation: string | null;
  /** `PROTECTED_INHERITS` */
  readonly inherits: boolean;
}

/**
 * Returns a digest of the SQL and the settings that determine documents and views. If it differs, both must be rebuilt.
 */
export function documentBasis(lists: StoredLists, { homeOrganisation, inherits }: DocumentSettings): string {
  const digest = createHash('sha256').update(JSON.stringify([homeOrganisation, inherits]));
  for (const name of listNames) digest.update(upsertSql(lists[name])).update(lists[name].views);
  return digest.digest('hex');
}
