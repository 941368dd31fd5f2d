import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { CountedPage } from '../../platform/lists/page.dto.js';
import { readCountedPage, type OrderTerm } from '../../platform/lists/page-reader.js';
import { allOf, fixedSql, sql, type Sql } from '../../platform/database/sql.js';
import type { ListName } from '../../publishing/documents/list-names.js';
import type { VisibleRecords } from '../../publishing/visibility/visibility.js';
import type { FacetResponse } from './facet.dto.js';
import { facetConditions, facetsOf } from './facets.js';
import type { RecordQuery, RecordRow } from './record-list.dto.js';
import { matchesOf, matchOf, rankOf, type SearchedKind, type SearchedText } from './record-search.js';

/** The SQL of one kind of record in lists. */
interface ListedKind extends SearchedKind {
  /** The columns of a record that determine visibility, so that records are counted without their documents. */
  readonly judged: string;
  readonly published: string;
  /** Whether a record belongs to a project. */
  readonly ofProject: boolean;
}

const judged = 'record.id';
const judgedByFlag = 'record.id, record.published';
const own = {
  judged,
  acronym: 'NULL',
  accession: 'record.external_id',
  published: 'record.published',
  ofProject: false,
};
const named = `search_form(record.name || ' ' || coalesce(record.external_id, ''))`;
const active = (datasets: string): string =>
  `EXISTS (SELECT FROM exposures WHERE dataset_id ${datasets} AND deprecated_at IS NULL)`;

const kinds: Readonly<Record<ListName, ListedKind>> = {
  projects: {
    ...own,
    documents: 'project_documents',
    searched: `search_form(record.acronym || ' ' || record.name || ' ' || coalesce(record.external_id, ''))`,
    acronym: 'record.acronym',
    published: active('IN (SELECT id FROM datasets WHERE project_id = record.id)'),
  },
  datasets: {
    ...own,
    documents: 'dataset_documents',
    searched: named,
    published: active('= record.id'),
    ofProject: true,
  },
  contracts: {
    judged,
    documents: 'contract_documents',
    searched: 'search_form(record.name)',
    acronym: 'NULL',
    accession: 'NULL',
    published: 'NULL::boolean',
    ofProject: true,
  },
  partners: {
    ...own,
    judged: judgedByFlag,
    documents: 'partner_documents',
    searched: `search_form(coalesce(record.acronym, '') || ' ' || record.name || ' ' || coalesce(record.external_id, ''))`,
    acronym: 'record.acronym',
  },
  cohorts: { ...own, judged: judgedByFlag, documents: 'cohort_documents', searched: named },
};

const byId: OrderTerm = { by: 'record.id', type: 'integer' };
const orders: Readonly<Record<string, OrderTerm>> = {
  name: { by: 'name_order(record.name)', type: 'text' },
  created: { by: 'document.created_at', type: 'timestamptz' },
  changed: { by: 'seen.changed_at', type: 'timestamptz' },
};
const byMatch: readonly OrderTerm[] = [
  { by: 'matched.rank', type: 'integer' },
  { by: 'lower(record.name)', type: 'text' },
  byId,
];

/** The maximum number of matches by name and of matches by words that are compared to find the best. */
const maxCompared = 1000;

/** The maximum number of records that facets count. */
const maxFaceted = 5_000;

/** A record among the best matches. */
export type FoundRow = Pick<RecordRow, 'id' | 'external_id' | 'name' | 'acronym' | 'project'>;

/** The statements that search, order and count records. */
@Injectable()
export class RecordListsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * @param seen the view of the caller, and what the caller sees as a condition on `document`
   * @param condition a further condition on `record`
   */
  search(
    list: ListName,
    seen: VisibleRecords,
    query: RecordQuery,
    searched: SearchedText | undefined,
    condition: Sql = sql`true`,
  ): Promise<CountedPage<RecordRow>> {
    const kind = kinds[list];
    const { sort = searched ? 'match' : 'name' } = query;
    const order = orders[sort.replace('-', '')];
    const rank = searched ? rankIn(list, kind, seen, searched) : sql`0`;
    return readCountedPage<RecordRow>(
      this.dataSource,
      {
        columns: columnsOf(kind),
        counted: countedRows(list, kind, seen, searched),
        from: sql`${fixedSql(`${list} AS record JOIN ${kind.documents} AS document ON document.id = record.id`)}
          JOIN view_records AS seen ON seen.list = ${list} AND seen.view = ${seen.view} AND seen.record_id = record.id
          CROSS JOIN LATERAL (SELECT ${rank} AS rank) AS matched`,
        where: allOf([conditionOf(list, kind, seen, query, searched), condition]),
        order: order ? [order, byId] : sort === 'match' ? byMatch : [byId],
        descending: sort.startsWith('-'),
      },
      query,
    );
  }

  /**
   * Returns the best matches in the order of {@link search}. If the caller sees every record and more than
   * {@link maxCompared} records match by name or by words, only those are compared.
   */
  async best(list: ListName, seen: VisibleRecords, searched: SearchedText, limit: number): Promise<FoundRow[]> {
    const kind = kinds[list];
    const matches = seen.isWhole ? matchesOf(list, kind, searched, maxCompared) : matchOf(kind, searched);
    const { text, values } = sql`
      SELECT ${columnsOf(kind)} FROM ${fixedSql(`${list} AS record JOIN ${kind.documents} AS document USING (id)`)}
        CROSS JOIN LATERAL (SELECT NULL::timestamptz AS changed_at) AS seen
       WHERE (${seen.visible}) AND (${matches})
       ORDER BY ${rankOf(kind, searched)}, lower(record.name), record.id LIMIT ${limit}::integer`.toQuery();
    return this.dataSource.query<FoundRow[]>(text, values);
  }

  /** Counts the values of each facet among the first {@link maxFaceted} records that match the query. */
  async facets(
    list: ListName,
    seen: VisibleRecords,
    query: RecordQuery,
    searched: SearchedText | undefined,
  ): Promise<FacetResponse> {
    const kind = kinds[list];
    const { text, values } = facetsOf(
      list,
      sql`SELECT record.id, ${fixedSql(kind.published)} AS published
            FROM ${countedRows(list, kind, seen, searched)}
           WHERE ${conditionOf(list, kind, seen, query, searched)}
           ORDER BY record.id LIMIT ${maxFaceted + 1}::integer`,
      maxFaceted,
    ).toQuery();
    const [row] = await this.dataSource.query<[FacetResponse]>(text, values);
    return row;
  }
}

/**
 * Returns the rank of a match. If the caller sees every record, only the records are ranked that
 * {@link RecordListsRepository.best} compares, because the rank of a million records takes half a minute.
 */
function rankIn(list: ListName, kind: ListedKind, { isWhole }: VisibleRecords, searched: SearchedText): Sql {
  const rank = rankOf(kind, searched);
  return isWhole ? sql`CASE WHEN ${matchesOf(list, kind, searched, maxCompared)} THEN ${rank} ELSE 4 END` : rank;
}

function columnsOf({ accession, acronym, published, ofProject }: ListedKind): Sql {
  const project = ofProject ? '(SELECT acronym FROM projects WHERE id = record.project_id)' : 'NULL';
  return fixedSql(`
    record.id, ${accession} AS external_id, record.name, ${acronym} AS acronym, ${published} AS published,
    ${ofProject ? 'record.project_id' : 'NULL::integer'} AS project_id, ${project} AS project,
    document.created_at, seen.changed_at`);
}

/** Returns the tables of a count. Documents are read only if the condition compares their words. */
function countedRows(
  list: ListName,
  { judged, documents }: ListedKind,
  { isWhole }: VisibleRecords,
  searched: SearchedText | undefined,
): Sql {
  return fixedSql(
    searched && !isWhole
      ? `${list} AS record JOIN ${documents} AS document ON document.id = record.id`
      : `${list} AS record CROSS JOIN LATERAL (SELECT ${judged}) AS document`,
  );
}

function conditionOf(
  list: ListName,
  kind: ListedKind,
  { isWhole, visible }: VisibleRecords,
  query: RecordQuery,
  searched: SearchedText | undefined,
): Sql {
  const conditions = [visible, ...facetConditions(list, query)];
  if (searched) conditions.push(isWhole ? matchesOf(list, kind, searched) : matchOf(kind, searched));
  // A condition without a parameter lets the planner read all records in one scan.
  if (query.published !== undefined)
    conditions.push(fixedSql(query.published === 'true' ? kind.published : `NOT ${kind.published}`));
  return allOf(conditions);
}
