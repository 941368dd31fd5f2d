import { fixedSql, sql, type Sql } from '../../platform/database/sql.js';
import type { DocumentQuery } from '../../publishing/documents/document-query.js';
import type { View } from '../../publishing/documents/view.entity.js';
import { contextMembers } from './context.js';

/** The lists that have a form as linked data. */
export type LinkedList = 'projects' | 'datasets';

export interface LinkedQueryOptions {
  readonly list: LinkedList;
  /** The view of the caller, which decides when a record last changed. */
  readonly view: View;
  /** Conditions on the published records. */
  readonly where: readonly Sql[];
  /** The exposures that publish a record to the caller, as a condition on the rows `exposure` and `endpoint`. */
  readonly exposures: Sql;
  /** The exposures whose landing pages the caller may know, as a condition on the same rows. */
  readonly pages: Sql;
  /** The base of all IRIs of the catalog. */
  readonly base: string;
  /** The legislation under which the records are described, as JSON. */
  readonly legislation: string;
  /** The members that are added to every item, as JSON without the outer braces. */
  readonly common: string;
  /** Whether each item is a separate document, which contains the context. */
  readonly alone: boolean;
}

const exposed = sql`
  exposures AS exposure
  JOIN endpoints AS endpoint ON endpoint.id = exposure.endpoint_id
  JOIN datasets AS dataset ON dataset.id = exposure.dataset_id`;

const idOf = { projects: fixedSql('dataset.project_id'), datasets: fixedSql('dataset.id') } as const;

/** Returns the join of the row `shown`, whose columns depend on the view and the exposures of an item. */
export const exposureJoin = ({
  list,
  view,
  exposures,
  pages,
}: Pick<LinkedQueryOptions, 'list' | 'view' | 'exposures' | 'pages'>): Sql => sql`
  LEFT JOIN view_records AS seen
    ON seen.list = ${list} AND seen.view = ${view} AND seen.record_id = document.id
  CROSS JOIN LATERAL (
    SELECT
      min(exposure.created_at) AS issued,
      coalesce(seen.changed_at, document.created_at) AS modified,
      min('api/dcat/datasets/' || iri_segment(coalesce(dataset.external_id, dataset.id::text))) AS iri,
      json_agg(DISTINCT page.address) FILTER (WHERE page.address IS NOT NULL AND (${pages})) AS pages
    FROM ${exposed}
    CROSS JOIN LATERAL (
      SELECT landing_page(endpoint.url_pattern, dataset.external_id) AS address OFFSET 0
    ) AS page
    WHERE ${idOf[list]} = document.id AND ${exposures}
  ) AS shown`;

/** Returns the SQL that formats an instant of the row `shown`. */
export const instant = (column: 'issued' | 'modified'): Sql =>
  fixedSql(`to_char(shown.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** The SQL of the members that depend on the exposures, as a JSON object. */
const dated = {
  projects: () => sql`json_build_object('dct:modified', ${instant('modified')})`,
  datasets: (legislation: string) => sql`json_build_object(
    'dct:issued', ${instant('issued')}, 'schema:datePublished', ${instant('issued')},
    'dct:modified', ${instant('modified')}, 'schema:dateModified', ${instant('modified')},
    'dcat:landingPage', (
      SELECT json_agg(json_build_object('@id', address, '@type', 'foaf:Document'))
      FROM json_array_elements_text(shown.pages) AS page (address)
    ),
    'schema:url', (
      SELECT json_agg(json_build_object('@id', address)) FROM json_array_elements_text(shown.pages) AS page (address)
    ),
    'dcat:distribution', json_build_object(
      '@id', shown.iri || '#distribution',
      '@type', 'dcat:Distribution',
      'dct:title', 'Data on request',
      'dcat:accessURL', (
        SELECT json_agg(json_build_object('@id', address))
        FROM json_array_elements_text(coalesce(shown.pages, json_build_array(shown.iri))) AS page (address)
      ),
      'dcatap:applicableLegislation', ${legislation}::json,
      'dcat:byteSize', (
        SELECT jsonb_path_query_first(
          dataset.metadata, 'lax $.stored_size.bytes ? (@ >= 0 && @ % 1 == 0 && @ < 1e18)'
        )::bigint FROM datasets AS dataset WHERE dataset.id = document.id
      )
    ))`,
} as const;

/** Returns the query of published records as linked data. */
export function linkedQuery(options: LinkedQueryOptions): DocumentQuery {
  const { list, where, exposures, base, common, alone, legislation } = options;
  const opening = alone ? `${contextMembers(base)},` : '';
  const closing = common === '' ? '' : `,${common}`;
  return {
    list,
    view: options.view,
    joins: exposureJoin(options),
    where: [...where, published(list, exposures)],
    item: sql`'{' || ${opening}::text || document.linked
      || ',' || (SELECT substr(text, 2, length(text) - 2) FROM (SELECT json_strip_nulls(${dated[list](legislation)})::text AS text OFFSET 0) AS dated)
      || ${closing}::text || '}'`,
  };
}

/** Returns the condition that one of the exposures publishes the row `document`. */
export function published(list: LinkedList, exposures: Sql): Sql {
  return sql`document.id IN (SELECT ${idOf[list]} FROM ${exposed} WHERE ${exposures})`;
}
