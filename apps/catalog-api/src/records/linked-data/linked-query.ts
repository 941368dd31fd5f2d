import { fixedSql, sql, type Sql } from '../../platform/database/sql.js';
import type { DocumentQuery } from '../../publishing/documents/document-query.js';
import type { View } from '../../publishing/documents/view.entity.js';
import { contextMembers } from './context.js';

/** The lists that have a form as linked data. */
export type LinkedList = 'projects' | 'datasets';

/** Options of {@link linkedQuery}. */
export interface LinkedQueryOptions {
  readonly list: LinkedList;
  /** The view of the caller, which determines the time of a record's last change. */
  readonly view: View;
  /** Conditions on the published records. */
  readonly where: readonly Sql[];
  /** The condition, on the rows `exposure` and `endpoint`, under which an exposure publishes a record to the caller. */
  readonly exposures: Sql;
  /**
   * The condition, on the rows `exposure` and `endpoint`, under which the caller may see the landing page of an
   * exposure.
   */
  readonly pages: Sql;
  /** The base of the catalog's IRIs. */
  readonly base: string;
  /** Members that are added to every item: JSON without the outer braces. */
  readonly common: string;
  /** Whether each item is a separate document with a context. */
  readonly alone: boolean;
}

const exposed = sql`
  exposures AS exposure
  JOIN endpoints AS endpoint ON endpoint.id = exposure.endpoint_id
  JOIN datasets AS dataset ON dataset.id = exposure.dataset_id`;

const idOf = { projects: fixedSql('dataset.project_id'), datasets: fixedSql('dataset.id') } as const;

/** Returns the join of the values that depend on the view and on the exposures of a record, as the row `summary`. */
export const exposureJoin = ({
  list,
  view,
  exposures,
  pages,
}: Pick<LinkedQueryOptions, 'list' | 'view' | 'exposures' | 'pages'>): Sql => sql`
  LEFT JOIN view_records AS entry
    ON entry.list = ${list} AND entry.view = ${view} AND entry.record_id = document.id
  CROSS JOIN LATERAL (
    SELECT
      min(exposure.created_at) AS issued,
      coalesce(entry.changed_at, document.created_at) AS modified,
      json_agg(DISTINCT page.address) FILTER (WHERE page.address IS NOT NULL AND (${pages})) AS pages
    FROM ${exposed}
    CROSS JOIN LATERAL (
      SELECT landing_page(endpoint.url_pattern, dataset.external_id) AS address OFFSET 0
    ) AS page
    WHERE ${idOf[list]} = document.id AND ${exposures}
  ) AS summary`;

/** Returns the SQL of an instant of the row `summary` as text. */
export const instant = (column: 'issued' | 'modified'): Sql =>
  fixedSql(`to_char(summary.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** The members that depend on the exposures, as JSON objects. */
const dated = {
  projects: sql`json_build_object('dct:modified', ${instant('modified')})`,
  datasets: sql`json_build_object(
    'dct:issued', ${instant('issued')}, 'schema:datePublished', ${instant('issued')},
    'dct:modified', ${instant('modified')}, 'schema:dateModified', ${instant('modified')},
    'dcat:landingPage', (
      SELECT json_agg(json_build_object('@id', address, '@type', 'foaf:Document'))
      FROM json_array_elements_text(summary.pages) AS page (address)
    ),
    'schema:url', (
      SELECT json_agg(json_build_object('@id', address)) FROM json_array_elements_text(summary.pages) AS page (address)
    ))`,
} as const;

/** Returns the query for the linked data of published records. */
export function linkedQuery(options: LinkedQueryOptions): DocumentQuery {
  const { list, where, exposures, base, common, alone } = options;
  const opening = alone ? `${contextMembers(base)},` : '';
  const closing = common === '' ? '' : `,${common}`;
  return {
    list,
    view: options.view,
    joins: exposureJoin(options),
    where: [...where, published(list, exposures)],
    item: sql`'{' || ${opening}::text || document.linked
      || ',' || (SELECT substr(text, 2, length(text) - 2) FROM (SELECT json_strip_nulls(${dated[list]})::text AS text OFFSET 0) AS dated)
      || ${closing}::text || '}'`,
  };
}

/** Returns the condition that one of some exposures publishes the row `document`. */
export function published(list: LinkedList, exposures: Sql): Sql {
  return sql`document.id IN (SELECT ${idOf[list]} FROM ${exposed} WHERE ${exposures})`;
}
