import { allOf, fixedSql, sql, type Sql } from '../../platform/database/sql.js';
import { documentTables, type ReadableList } from './list-names.js';
import type { View } from './view.entity.js';

/** A query of stored documents or people. In every SQL fragment, the row is named `document`. */
export interface DocumentQuery {
  readonly list: ReadableList;
  /** The view of the caller. It determines the tag of the list, and when an item last changed. */
  readonly view: View;
  /** Joins of the tables that caller-specific members require. */
  readonly joins?: Sql;
  /** Conditions that must all hold, including the visibility to the caller. */
  readonly where: readonly Sql[];
  /** The members of an item as JSON text, without braces and without `source`. */
  readonly members?: Sql;
  /** The whole text of an item, instead of `members`. */
  readonly item?: Sql;
  /** The members to return, in this order. If undefined, all members are returned. */
  readonly fields?: readonly string[];
  /** The response headers. The default is `privateJson`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ListRequest extends DocumentQuery {
  readonly envelope: Envelope;
  readonly page: PageOptions;
  /**
   * Whether `where` depends on records that the caller may not see, such as the title of a project. The version of the
   * list does not cover such records, so the tag is computed from the selected items.
   */
  readonly filteredByOtherRecords?: boolean;
  /** Whether callers without a key may read the list. Fewer connections serve whole public lists concurrently. */
  readonly isPublic?: boolean;
}

/** The text around the items of a list. */
export interface Envelope {
  readonly open: string;
  readonly close: string;
  /** Returns the text that replaces `close` on a page. */
  readonly closePage?: (next: Cursor | undefined) => string;
  /** The one character between two items. The default is a comma. */
  readonly separator?: string;
}

/** The optional parameters of every list. */
export interface PageOptions {
  readonly limit?: number | undefined;
  /** The item after which the page starts. */
  readonly after?: Cursor | undefined;
  /** If set, only items that changed at or after this instant (ISO 8601) are returned. */
  readonly updatedSince?: string | undefined;
  /** Whether each item has the instant of its last change, as the member `updated_at`. Linked data has its own member. */
  readonly withUpdatedAt?: boolean;
}

/** The end of a page: the sort key and the id of the last item. */
export type Cursor = readonly [key: string, id: number];

export interface RecordRequest extends DocumentQuery {
  /** The word for the record in messages. */
  readonly kind: string;
  /** The `id_at_source` if the text is digits only, otherwise the `external_id`. */
  readonly id: string;
}

/** The order of a list: partners and people by name, other records by creation. The id breaks ties. */
export interface ListOrder {
  /** One column, or several columns separated by commas. */
  readonly columns: Sql;
  /** The columns as text in a cursor: a name, or milliseconds since 1970. */
  readonly key: Sql;
  /** Converts the key of a cursor to values of the columns. */
  readonly valueOf: (key: string) => Sql;
}

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

/**
 * Returns the text of one item.
 *
 * @param source the `source` of records that were not imported
 */
export function itemOf(query: DocumentQuery, source: string, { withUpdatedAt = false }: PageOptions = {}): Sql {
  const { members = sql`''`, item, fields: chosenFields } = query;
  const dated = withUpdatedAt ? sql` || ',"updated_at":' || ${updatedAtOf(query)}` : sql``;
  const whole =
    item ??
    sql`'{"source":' || to_json(coalesce(document.source, ${source}::text)) || ',' || ${members}${dated} || '}'`;
  if (!chosenFields) return whole;
  const fields = withUpdatedAt ? [...chosenFields, 'updated_at'] : chosenFields;
  const chosen = fields.map((field) => sql`${`"${field}":`}::text || (whole -> ${field}::text)::text`);
  const joined = chosen.reduce((all, one) => sql`${all} || ',' || ${one}`);
  return sql`(SELECT '{' || ${joined} || '}' FROM (SELECT (${whole})::json AS whole) AS parsed)`;
}

/** Returns the instant at which an item last changed in the view, as JSON text; null if no view has recorded it yet. */
function updatedAtOf({ list, view }: DocumentQuery): Sql {
  return sql`coalesce((
    SELECT to_json(to_char(changed_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text FROM view_records
    WHERE list = ${list} AND view = ${view} AND record_id = document.id), 'null')`;
}

/** Returns the `FROM ... WHERE ...` of a query and its page. */
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
