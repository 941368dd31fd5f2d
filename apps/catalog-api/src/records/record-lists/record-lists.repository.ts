import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { CountedPage } from '../../platform/lists/page.dto.js';
import { readCountedPage, type OrderTerm } from '../../platform/lists/page-reader.js';
import { containsPattern } from '../../platform/lists/search-text.js';
import { allOf, fixedSql, sql, type Sql } from '../../platform/database/sql.js';
import type { ListName } from '../../publishing/documents/list-names.js';
import type { View } from '../../publishing/documents/view.entity.js';
import type { RecordQuery, RecordRow } from './record-list.dto.js';

/** The SQL of one kind of record in lists. */
interface ListedKind {
  /** The table of the documents. */
  readonly documents: string;
  /** The columns of a record that determine visibility, so that records are counted without their documents. */
  readonly judged: string;
  /** The searched text, which is the expression of the index `<list>_search_idx`. */
  readonly searched: string;
  readonly acronym: string;
  readonly accession: string;
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
  name: { by: 'lower(record.name)', type: 'text' },
  created: { by: 'document.created_at', type: 'timestamptz' },
  changed: { by: 'seen.changed_at', type: 'timestamptz' },
};

/** The statements that search, order and count records. */
@Injectable()
export class RecordListsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * @param visible the view of the caller, and what the caller sees as a condition on `document`
   * @param condition a further condition on `record`
   */
  search(
    list: ListName,
    { view, visible }: { readonly view: View; readonly visible: Sql },
    query: RecordQuery,
    condition: Sql = sql`true`,
  ): Promise<CountedPage<RecordRow>> {
    const kind = kinds[list];
    const { sort = 'name' } = query;
    const order = orders[sort.replace('-', '')];
    return readCountedPage<RecordRow>(
      this.dataSource,
      {
        columns: columnsOf(kind),
        counted: fixedSql(`${list} AS record CROSS JOIN LATERAL (SELECT ${kind.judged}) AS document`),
        from: sql`${fixedSql(`${list} AS record JOIN ${kind.documents} AS document ON document.id = record.id`)}
          JOIN view_records AS seen ON seen.list = ${list} AND seen.view = ${view} AND seen.record_id = record.id`,
        where: allOf([visible, condition, ...filtersOf(kind, query)]),
        order: order ? [order, byId] : [byId],
        descending: sort.startsWith('-'),
      },
      query,
    );
  }
}

function columnsOf({ accession, acronym, published, ofProject }: ListedKind): Sql {
  const project = ofProject ? '(SELECT acronym FROM projects WHERE id = record.project_id)' : 'NULL';
  return fixedSql(`
    record.id, ${accession} AS external_id, record.name, ${acronym} AS acronym, ${published} AS published,
    ${ofProject ? 'record.project_id' : 'NULL::integer'} AS project_id, ${project} AS project,
    document.created_at, seen.changed_at`);
}

function filtersOf({ searched, published }: ListedKind, query: RecordQuery): Sql[] {
  const conditions: Sql[] = [];
  if (query.q !== undefined) conditions.push(sql`${fixedSql(searched)} LIKE ${containsPattern(query.q)}`);
  // A condition without a parameter lets the planner read all records in one scan.
  if (query.published !== undefined)
    conditions.push(fixedSql(query.published === 'true' ? published : `NOT ${published}`));
  if (query.project !== undefined) conditions.push(sql`record.project_id = ${query.project}::integer`);
  return conditions;
}
