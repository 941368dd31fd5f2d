import { allOf, fixedSql, sql, type Sql } from '../../platform/database/sql.js';
import { documentTables, type ReadableList } from './list-names.js';
import type { View } from './view.entity.js';

/** Which stored documents (or people) to read, and what of them. In every piece of SQL the row read is `document`. */
export interface DocumentQuery {
  readonly list: ReadableList;
  /** The view of the caller: it decides the tag of the list, and when an item last changed. */
  readonly view: View;
  /** Tables joined to the document, for what depends on the caller. */
  readonly joins?: Sql;
  /** All of these must hold; what the caller may see is one of them. */
  readonly where: readonly Sql[];
  /** The text of an item: its members, without braces and without `source`; or all of it. */
  readonly members?: Sql;
  readonly item?: Sql;
  /** Only these members, in this order; all when absent. */
  readonly fields?: readonly string[];
  /** How the answer is labelled: JSON that depends on the caller's key, unless said otherwise. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A list as a caller asked for it. */
export interface ListRequest extends DocumentQuery {
  readonly envelope: Envelope;
  readonly page: PageOptions;
  /**
   * Whether `where` depends on records that the caller may not see, such as the title of a project. The version of the
   * list does not cover those; the tag is then made of the items that are chosen.
   */
  readonly filteredByOtherRecords?: boolean;
  /** Whether anybody may ask for it: then fewer at a time have it whole, so that they leave places to callers with a key. */
  readonly open?: boolean;
}

/** What stands around the items of a list. */
export interface Envelope {
  readonly open: string;
  readonly close: string;
  /** In the place of `close`, on a page: it may name the next one. */
  readonly closePage?: (next: Cursor | undefined) => string;
  /** What stands between two items: one character, a comma unless said otherwise. */
  readonly separator?: string;
}

/** The opt-in parameters of every list. */
export interface PageOptions {
  readonly limit?: number | undefined;
  /** Items after this one. */
  readonly after?: Cursor | undefined;
  /** Only items that changed at this instant or later; ISO 8601. */
  readonly updatedSince?: string | undefined;
}

/** Where a page ends: the key by which the list is ordered, and the id, of its last item. */
export type Cursor = readonly [key: string, id: number];

/** One record as a caller asked for it. */
export interface RecordRequest extends DocumentQuery {
  /** The word for such a record in messages. */
  readonly kind: string;
  /** `id_at_source` when it is digits only, else `external_id`. */
  readonly id: string;
}

/** How a list is ordered before the id decides: partners and people by name, everything else by creation. */
export interface ListOrder {
  /** One column, or several with commas between. */
  readonly columns: Sql;
  /** The columns as they stand in a cursor: a name, or milliseconds since 1970. */
  readonly key: Sql;
  /** Turns the key of a cursor back into values of the columns. */
  readonly valueOf: (key: string) => Sql;
}

/** The order of a list. */
export function orderOf(list: ReadableList): ListOrder {
  if (list === 'partners') {
    return { columns: sql`document.name`, key: sql`document.name`, valueOf: (key) => sql`${key}::varchar` };
  }
  if (list === 'users') {
    return {
      columns: sql`lower(document.last_name), lower(document.first_name)`,
      key: sql`lower(document.last_name) || E'\x1f' || lower(document.first_name)`,
      valueOf: (key) => sql`split_part(${key}, E'\x1f', 1), split_part(${key}, E'\x1f', 2)`,
    };
  }
  return {
    columns: sql`document.created_at`,
    key: sql`(extract(epoch FROM document.created_at) * 1000)::bigint::text`,
    valueOf: (key) => sql`to_timestamp(${key}::numeric / 1000)`,
  };
}

/** The text of one item. @param source the `source` of records of our own */
export function itemOf({ members, item, fields }: DocumentQuery, source: string): Sql {
  const whole =
    item ??
    sql`'{"source":' || to_json(coalesce(document.source, ${source}::text)) || ',' || ${members ?? sql`''`} || '}'`;
  if (!fields) return whole;
  const chosen = fields.map((field) => sql`${`"${field}":`}::text || (whole -> ${field}::text)::text`);
  const joined = chosen.reduce((all, one) => sql`${all} || ',' || ${one}`);
  return sql`(SELECT '{' || ${joined} || '}' FROM (SELECT (${whole})::json AS whole) AS parsed)`;
}

/** `FROM ... WHERE ...` of a query and its paging. */
export function rowsOf(query: DocumentQuery, page: PageOptions = {}): Sql {
  const conditions = [...query.where];
  if (page.updatedSince !== undefined) {
    conditions.push(sql`document.id IN (
      SELECT record_id FROM view_records WHERE list = ${query.list} AND view = ${query.view} AND digest IS NOT NULL
        AND changed_at >= ${page.updatedSince}::timestamptz)`);
  }
  if (page.after) {
    const [key, id] = page.after;
    const { columns, valueOf } = orderOf(query.list);
    conditions.push(sql`(${columns}, document.id) > (${valueOf(key)}, ${id}::integer)`);
  }
  const table = query.list === 'users' ? 'users' : documentTables[query.list];
  return sql`FROM ${fixedSql(table)} AS document ${query.joins ?? sql``} WHERE ${allOf(conditions)}`;
}
