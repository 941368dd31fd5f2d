import { fixedSql, sql, type Sql } from '../../platform/database/sql.js';
import type { ListName } from '../../publishing/documents/list-names.js';
import type { FacetName, RecordQuery } from './record-list.dto.js';

/** A property by which a list is filtered, and whose values are counted. The documents show every value. */
interface Facet {
  /** Returns the condition on the row `record`. */
  readonly is: (value: string) => Sql;
  /** The rows `id`, `value` and `label` of the records `counted`. */
  readonly values: string;
}

/** The maximum number of values of a facet. The values with the most records are returned. */
const maxValues = 30;

const project: Facet = {
  is: (id) => sql`record.project_id = ${id}::integer`,
  values: `SELECT record.id, project.id::text AS value, project.acronym AS label
    FROM records AS record JOIN projects AS project ON project.id = record.project_id`,
};

const published = `SELECT id, published::text AS value, published::text AS label FROM counted`;

/** Returns the facet of the custodians in a table of links. */
function custodian(links: string, id: string): Facet {
  return {
    is: (user) => sql`record.id IN (SELECT ${fixedSql(id)} FROM ${fixedSql(links)} WHERE user_id = ${user}::integer)`,
    values: `SELECT link.${id} AS id, users.id::text AS value, trim(first_name || ' ' || last_name) AS label
      FROM counted JOIN ${links} AS link ON link.${id} = counted.id JOIN users ON users.id = link.user_id`,
  };
}

/** Returns the facet of a column of the records. */
function column(name: string): Facet {
  return {
    is: (value) => sql`${fixedSql(`record.${name}`)} = ${value}`,
    values: `SELECT id, ${name} AS value, ${name} AS label FROM records`,
  };
}

const declarations = 'FROM counted JOIN data_declarations AS declaration ON declaration.dataset_id = counted.id';

const datasetFacets: Partial<Record<FacetName, Facet>> = {
  project,
  cohort: {
    is: (id) => sql`record.id IN (
      SELECT declaration.dataset_id FROM data_declaration_cohorts AS link
      JOIN data_declarations AS declaration ON declaration.id = link.data_declaration_id
      WHERE link.cohort_id = ${id}::integer)`,
    values: `SELECT counted.id, cohort.id::text AS value, cohort.name AS label ${declarations}
      JOIN data_declaration_cohorts AS link ON link.data_declaration_id = declaration.id
      JOIN cohorts AS cohort ON cohort.id = link.cohort_id`,
  },
  access: {
    is: (category) => sql`record.id IN (SELECT dataset_id FROM data_declarations WHERE access_category = ${category})`,
    values: `SELECT counted.id, access_category AS value, access_category AS label ${declarations}`,
  },
  data_type: {
    is: (type) => sql`record.id IN (SELECT dataset_id FROM data_declarations WHERE data_types @> ARRAY[${type}::text])`,
    values: `SELECT counted.id, type AS value, type AS label ${declarations} CROSS JOIN unnest(data_types) AS type`,
  },
  consent: {
    is: (code) => sql`record.id IN (
      SELECT declaration.dataset_id FROM use_conditions AS condition
      JOIN data_declarations AS declaration ON declaration.id = condition.data_declaration_id
      WHERE condition.use_class = ${code})`,
    values: `SELECT counted.id, class.code AS value, class.label AS label ${declarations}
      JOIN use_conditions AS condition ON condition.data_declaration_id = declaration.id
      JOIN labelled_use_classes AS class ON class.code = condition.use_class`,
  },
  custodian: custodian('dataset_custodians', 'dataset_id'),
};

const facets: Readonly<Record<ListName, Partial<Record<FacetName, Facet>>>> = {
  projects: { custodian: custodian('project_custodians', 'project_id') },
  datasets: datasetFacets,
  contracts: {
    project,
    partner: {
      is: (id) => sql`record.id IN (SELECT contract_id FROM partner_roles WHERE partner_id = ${id}::integer)`,
      values: `SELECT counted.id, partner.id::text AS value, partner.name AS label
        FROM counted JOIN partner_roles AS role ON role.contract_id = counted.id
        JOIN partners AS partner ON partner.id = role.partner_id`,
    },
    custodian: custodian('contract_custodians', 'contract_id'),
  },
  partners: { sector: column('sector_category'), country: column('country_code') },
  cohorts: {},
};

/** Returns the conditions of the facets in a query. */
export function facetConditions(list: ListName, query: RecordQuery): Sql[] {
  return Object.entries(facets[list]).flatMap(([name, { is }]) => {
    const value = query[name as FacetName];
    return value === undefined ? [] : [is(value)];
  });
}

/**
 * Returns the statement that counts the values of each facet of a list.
 *
 * @param records the ids of at most `limit + 1` records, with `published`
 */
export function facetsOf(list: ListName, records: Sql, limit: number): Sql {
  const all = Object.entries(facets[list]).map(([name, { values }]) => countedValues(name, values));
  if (list !== 'contracts') all.push(countedValues('published', published));
  return sql`
    WITH found AS MATERIALIZED (${records}),
    counted AS MATERIALIZED (SELECT * FROM found ORDER BY id LIMIT ${limit}::integer),
    records AS (SELECT * FROM ${fixedSql(list)} WHERE id IN (SELECT id FROM counted))
    SELECT (SELECT count(*)::integer FROM counted) AS counted,
           (SELECT count(*) FROM found) <= ${limit}::integer AS complete,
           (SELECT coalesce(json_agg(facet ORDER BY place), '[]') FROM (
              SELECT row_number() OVER () AS place, * FROM (${fixedSql(all.join(' UNION ALL '))}) AS each_facet
            ) AS facet) AS facets`;
}

function countedValues(name: string, values: string): string {
  return `SELECT '${name}' AS name, coalesce(json_agg(json_build_object(
      'value', value, 'label', label, 'count', count) ORDER BY count DESC, label, value), '[]') AS values
    FROM (SELECT value, min(label) AS label, count(DISTINCT id)::integer AS count FROM (${values}) AS part
           WHERE value IS NOT NULL GROUP BY value ORDER BY count DESC, min(label), value LIMIT ${String(maxValues)}) AS part`;
}
