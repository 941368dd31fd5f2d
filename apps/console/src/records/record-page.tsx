import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Tagged } from '../api/client.ts';
import { Asked } from '../parts/asked.tsx';
import { FoldingSections } from '../parts/folding.tsx';
import { Page } from '../parts/page.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import { type Right, useMay } from '../session/roles.ts';
import { texts } from '../texts/texts.ts';
import { History } from './history.tsx';
import { schemaOf, writeRightOf } from './kinds.ts';
import { pageGroupsOf } from './layouts.ts';
import { LinkedRecords } from './linked-records.tsx';
import { Links, useLinks } from './links.ts';
import { hasValue, Members } from './member-value.tsx';
import { PublicationButton } from './publication-button.tsx';
import { NewRecordPage } from './record-edit-page.tsx';
import { RecordHead } from './record-head.tsx';
import { getRecord, idOf, type RecordDocument, type RecordList, removeRecord } from './record-lists.ts';
import { nameOf } from './record-name.ts';

const { kinds, tabs: labels, remove: removal } = texts.catalog;

/** A section of a record's page, next to the sections of the record itself. */
export interface RecordSection {
  readonly name: string;
  readonly label: string;
  /** The right that a user needs to see the section. */
  readonly right: Right;
  /** Whether the section is closed at first. */
  readonly isClosed?: boolean;
  /** Renders the section. @param refetch reads the record again, after a write that changes the record */
  readonly panel: (id: string, refetch: () => Promise<void>, record: RecordDocument) => ReactNode;
}

export interface RecordPageProps {
  readonly list: RecordList;
  readonly sections?: readonly RecordSection[];
  /** Renders further badges of the head. */
  readonly badges?: (record: RecordDocument) => ReactNode;
  /** Renders urgent notices below the head. */
  readonly notices?: (record: RecordDocument) => ReactNode;
}

/** The page on which people read a record, or the form of a new record. */
export function RecordPage(props: RecordPageProps): ReactNode {
  const { id = 'new' } = useParams({ strict: false });
  return id === 'new' ? <NewRecordPage list={props.list} /> : <ReadRecord key={id} {...props} id={id} />;
}

function ReadRecord({ id, ...props }: RecordPageProps & { readonly id: string }): ReactNode {
  const { list } = props;
  const record = useQuery({ queryKey: [list, 'page', id], queryFn: ({ signal }) => getRecord(list, id, signal) });
  const refetch = async (): Promise<void> => {
    await record.refetch();
  };
  const title = record.data ? nameOf(record.data.data) : kinds[list].one;
  const buttons = record.data && <RecordButtons list={list} record={record.data.data} onStored={refetch} />;
  return (
    <Page title={title} actions={buttons}>
      <Asked query={record}>{(stored) => <Reading {...props} stored={stored} refetch={refetch} />}</Asked>
    </Page>
  );
}

interface ReadingProps extends RecordPageProps {
  readonly stored: Tagged<RecordDocument>;
  readonly refetch: () => Promise<void>;
}

function Reading({ list, sections = [], badges, notices, stored: { data }, refetch }: ReadingProps): ReactNode {
  const may = useMay();
  const links = useLinks(list, idOf(data));
  const schema = schemaOf(list);
  const own = pageGroupsOf(list, schema)
    .filter(({ members }) => members.some((name) => hasValue(data[name])))
    .map(({ name, members }) => ({
      name,
      title: texts.reading.groups[name],
      content: <Members schema={schema} values={data} members={members} />,
    }));
  const linked = {
    name: 'links',
    title: texts.reading.links.heading,
    content: <LinkedRecords query={links} of={data} list={list} />,
  };
  const others = sections
    .filter(({ right }) => may(right))
    .map(({ name, label, isClosed = false, panel }) => ({
      ...{ name, title: label, isClosed },
      content: panel(idOf(data), refetch, data),
    }));
  const history = {
    ...{ name: 'history', title: labels.history, isClosed: true },
    content: <History resource={list} id={idOf(data)} />,
  };
  return (
    <Links value={links.data}>
      <RecordHead list={list} record={data} links={links.data} badges={badges?.(data)} />
      {notices?.(data)}
      <FoldingSections sections={[...own, linked, ...others, ...(may('audit.read') ? [history] : [])]} />
    </Links>
  );
}

interface RecordButtonsProps {
  readonly list: RecordList;
  readonly record: RecordDocument;
  readonly onStored: () => Promise<void>;
}

function RecordButtons({ list, record, onStored }: RecordButtonsProps): ReactNode {
  const may = useMay();
  if (!may(writeRightOf(list))) return null;
  const params = { id: idOf(record) };
  return (
    <>
      <Button renderRoot={(props) => <Link to={`/${list}/$id/edit`} params={params} {...props} />}>
        {texts.reading.edit}
      </Button>
      {(list === 'partners' || list === 'cohorts') && (
        <PublicationButton list={list} record={record} onStored={() => void onStored()} />
      )}
      <RemoveButton words={removal} name={nameOf(record)} list={list} remove={() => removeRecord(list, idOf(record))} />
    </>
  );
}
