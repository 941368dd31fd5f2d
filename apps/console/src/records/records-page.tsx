import { Anchor, Badge, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Moment } from '../parts/moment.tsx';
import type { Column } from '../parts/data-table.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { useMay } from '../session/roles.ts';
import { texts } from '../texts/texts.ts';
import { writeRightOf } from './kinds.ts';
import { RecordFacets } from './record-facets.tsx';
import { type RecordList, type RecordRow, searchRecords } from './record-lists.ts';

const { columns: words, kinds } = texts.catalog;

/** The page with the list of a kind of record. */
export function RecordsPage({ list }: { readonly list: RecordList }): ReactNode {
  const may = useMay();
  const { title, create, emptyTitle, emptyHint } = kinds[list];
  const add = may(writeRightOf(list)) && (
    <Button renderRoot={(props) => <Link to={`/${list}/$id`} params={{ id: 'new' }} {...props} />}>{create}</Button>
  );
  return (
    <ListPage
      title={title}
      queryKey={list}
      load={(parameters, signal) => searchRecords(list, parameters, signal)}
      columns={columnsOf(list)}
      rowKey={({ id }) => id}
      searchHint={texts.catalog.searchHint}
      moreFilters={<RecordFacets list={list} />}
      actions={add}
      empty={{ title: emptyTitle, hint: emptyHint, children: add }}
    />
  );
}

/** Returns the columns that apply to a kind of record. */
function columnsOf(list: RecordList): Column<RecordRow>[] {
  const name: Column<RecordRow> = {
    label: words.name,
    sort: 'name',
    cell: (row) => (
      <Anchor renderRoot={(props) => <Link to={`/${list}/$id`} params={{ id: String(row.id) }} {...props} />}>
        {row.name || row.acronym || texts.catalog.nobodyNamed}
      </Anchor>
    ),
  };
  const acronym: Column<RecordRow> = { label: words.acronym, cell: (row) => row.acronym };
  const accession: Column<RecordRow> = { label: words.accession, cell: (row) => row.external_id };
  const project: Column<RecordRow> = { label: words.project, cell: (row) => row.project };
  const state: Column<RecordRow> = {
    label: words.published,
    cell: (row) => (
      <Badge variant="dot" color={row.published ? 'green' : 'gray'}>
        {row.published ? texts.yes : texts.no}
      </Badge>
    ),
  };
  const changed: Column<RecordRow> = {
    label: words.changed,
    sort: 'changed',
    cell: (row) => <Moment at={row.changed_at} />,
  };
  if (list === 'contracts') return [name, project, changed];
  if (list === 'datasets') return [name, accession, project, state, changed];
  return list === 'cohorts' ? [name, accession, state, changed] : [name, acronym, accession, state, changed];
}
