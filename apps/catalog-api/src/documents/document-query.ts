import { allOf, fixedSql, sql, type Sql } from '../database/sql.js';
import type { ListName } from './document.entity.js';
import { storedLists } from './stored-list.js';

/** Which stored documents to read, and what of them. In every piece of SQL the row of the document is `document`. */
export interface DocumentQuery {
  readonly list: ListName;
  /** Tables joined to the document, for what depends on the caller. */
  readonly joins?: Sql;
  /** All of these must hold; what the caller may see is one of them. */
  readonly where: readonly Sql[];
  /** The text of an item's members, without braces and without `source`. */
  readonly members: Sql;
  /** Only these members, in this order; all when absent. */
  readonly fields?: readonly string[];
  /** When the item last changed for this caller, where that is not when the document did. */
  readonly changedAt?: Sql;
}

/** A list as a caller asked for it. */
export interface ListRequest extends DocumentQuery {
  /** What stands around the items. */
  readonly envelope: { readonly open: string; readonly close: string };
  readonly page: PageOptions;
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

/** How a list is ordered before the id decides: partners by name, everything else by creation. */
export interface ListOrder {
  readonly column: Sql;
  /** The column as it stands in a cursor: a name, or milliseconds since 1970. */
  readonly key: Sql;
  /** Turns the key of a cursor back into a value of the column. */
  readonly valueOf: (key: string) => Sql;
}

/** The order of a list. */
export function orderOf(list: ListName): ListOrder {
  if (list === 'partners') {
    return { column: sql`document.name`, key: sql`document.name`, valueOf: (key) => sql`${key}::varchar` };
  }
  return {
    column: sql`document.created_at`,
    key: sql`(extract(epoch FROM document.created_at) * 1000)::bigint::text`,
    valueOf: (key) => sql`to_timestamp(${key}::numeric / 1000)`,
  };
}

/** The text of one item. @param source the `source` of records of our own */
export function itemOf({ members, fields }: DocumentQuery, source: string): Sql {
  const whole = sql`'{"source":' || to_json(coalesce(document.source, ${source}::text)) || ',' || ${members} || '}'`;
  if (!fields) return whole;
  const chosen = fields.map((field) => sql`${`"${field}":`}::text || (whole -> ${field}::text)::text`);
  const joined = chosen.reduce((all, one) => sql`${all} || ',' || ${one}`);
  return sql`(SELECT '{' || ${joined} || '}' FROM (SELECT (${whole})::json AS whole) AS parsed)`;
}

/** `FROM ... WHERE ...` of a query and its paging. */
export function rowsOf(query: DocumentQuery, page: PageOptions = {}): Sql {
  const conditions = [...query.where];
  if (page.updatedSince !== undefined) {
    conditions.push(sql`${query.changedAt ?? sql`document.changed_at`} >= ${page.updatedSince}::timestamptz`);
  }
  if (page.after) {
    const [key, id] = page.after;
    const { column, valueOf } = orderOf(query.list);
    conditions.push(sql`(${column}, document.id) > (${valueOf(key)}, ${id}::integer)`);
  }
  return sql`FROM ${fixedSql(storedLists[query.list].table)} AS document ${query.joins ?? sql``} WHERE ${allOf(conditions)}`;
}
