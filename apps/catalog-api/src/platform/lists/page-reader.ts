import { InvalidInputError } from '@rdc/errors';
import { isInstant } from '@rdc/http';
import type { DataSource } from 'typeorm';
import { maxId } from '../database/ids.js';
import { fixedSql, sql, type Sql, type SqlValue } from '../database/sql.js';
import { tryParseJson } from '../json/json.js';
import { defaultLimit, type CountedPage, type Page, type PageParameters } from './page.dto.js';

/** A list that is read in pages. */
export interface PagedList {
  /** What stands in `SELECT`: the columns of a row. */
  readonly columns: Sql;
  /** What stands in `FROM`. */
  readonly from: Sql;
  /** The same, as far as it is needed to count; `from` where it is absent. */
  readonly counted?: Sql;
  /** Which rows belong to the list. */
  readonly where: Sql;
  /** What it is ordered by, the last of which tells any two rows apart. All of it goes one way. */
  readonly order: readonly OrderTerm[];
  /** Last things first. */
  readonly descending?: boolean;
}

/** A column or expression that a list is ordered by, and its type. */
export interface OrderTerm {
  readonly by: string;
  readonly type: 'text' | 'integer' | 'bigint' | 'timestamptz';
}

interface PagedRow {
  readonly page_cursor: string | null;
  readonly total: number;
}

/** Reads one page and how many rows there are in all, in one statement. @throws InvalidInputError for a bad cursor */
export async function readCountedPage<T extends object>(
  dataSource: DataSource,
  list: PagedList,
  parameters: PageParameters,
): Promise<CountedPage<T>> {
  const total = sql`(SELECT count(*)::integer AS total FROM ${list.counted ?? list.from} WHERE ${list.where})`;
  const rows = await readRows(dataSource, total, list, parameters);
  return { ...pageOf<T>(rows, limitOf(parameters)), total: rows[0]?.total ?? 0 };
}

/** Reads one page of a list too long to be counted each time. @throws InvalidInputError for a bad cursor */
export async function readPage<T extends object>(
  dataSource: DataSource,
  list: PagedList,
  parameters: PageParameters,
): Promise<Page<T>> {
  return pageOf<T>(await readRows(dataSource, sql`(SELECT 0 AS total)`, list, parameters), limitOf(parameters));
}

/** The rows of a page and one more, by which it is known whether there is a next page; one of nulls when there is none. */
async function readRows(
  dataSource: DataSource,
  total: Sql,
  { columns, from, where, order, descending = false }: PagedList,
  parameters: PageParameters,
): Promise<PagedRow[]> {
  const direction = descending ? ' DESC' : '';
  const keys = fixedSql(order.map(({ by }) => by).join(', '));
  const sorted = fixedSql(order.map(({ by }) => by + direction).join(', '));
  const { text, values } = sql`
    SELECT counted.total, page.* FROM ${total} AS counted
      LEFT JOIN (SELECT row_number() OVER (ORDER BY ${sorted}) AS page_place,
                        json_build_array(${keys})::text AS page_cursor, ${columns}
                   FROM ${from} WHERE ${where} AND ${afterCursor(parameters.cursor, keys, order, descending)}
                  ORDER BY ${sorted} LIMIT ${limitOf(parameters) + 1}::integer) AS page ON true
     ORDER BY page.page_place`.toQuery();
  return dataSource.query(text, values);
}

function afterCursor(cursor: string | undefined, keys: Sql, order: readonly OrderTerm[], descending: boolean): Sql {
  if (cursor === undefined) return sql`true`;
  const values = readCursor(cursor, order);
  const list = order
    .map(({ type }, index) => sql`${values[index] ?? null}::${fixedSql(type)}`)
    .reduce((all, each) => sql`${all}, ${each}`);
  return descending ? sql`(${keys}) < (${list})` : sql`(${keys}) > (${list})`;
}

function readCursor(cursor: string, order: readonly OrderTerm[]): SqlValue[] {
  const values = tryParseJson(Buffer.from(cursor, 'base64url').toString());
  const fits =
    Array.isArray(values) &&
    values.length === order.length &&
    order.every(({ type }, index) => fitsType(values[index], type));
  if (!fits) throw new InvalidInputError([{ field: 'cursor', problem: 'must be the next_cursor of another page' }]);
  return values as SqlValue[];
}

/** An instant as Postgres, in whose sessions it is UTC, writes it into JSON. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?\+00:00$/;

function fitsType(value: unknown, type: OrderTerm['type']): boolean {
  if (type === 'text') return typeof value === 'string' && !value.includes('\0');
  if (type === 'timestamptz') return isInstant(value) && instant.test(value);
  return Number.isSafeInteger(value) && (type === 'bigint' || Math.abs(value as number) <= maxId);
}

function pageOf<T extends object>(rows: readonly PagedRow[], limit: number): Page<T> {
  const found = rows.filter((row) => row.page_cursor !== null);
  const last = found.length > limit ? found[limit - 1] : undefined;
  return {
    items: found.slice(0, limit) as unknown as T[],
    next_cursor: last?.page_cursor ? Buffer.from(last.page_cursor).toString('base64url') : null,
  };
}

function limitOf({ limit }: PageParameters): number {
  return limit === undefined ? defaultLimit : Number(limit);
}
