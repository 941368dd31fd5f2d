import { Loader, Tabs } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Tagged } from '../api/client.ts';
import { focusInput } from '../parts/focus-input.ts';
import { Page } from '../parts/page.tsx';
import { ProblemBox } from '../parts/problem-box.tsx';
import { RemoveButton } from '../parts/remove-button.tsx';
import { type Right, useMay } from '../session/roles.ts';
import { texts } from '../texts/texts.ts';
import { History } from './history.tsx';
import { writeRightOf } from './kinds.ts';
import { PublicationButton } from './publication-button.tsx';
import { type RecordEditing, useRecordEditing } from './record-editing.ts';
import { RecordForm } from './record-form.tsx';
import { getRecord, idOf, type RecordDocument, type RecordList, removeRecord } from './record-lists.ts';

const { kinds, tabs: labels, remove: removal, nobodyNamed } = texts.catalog;
const noteSaved = (): string => notifications.show({ message: texts.form.saved });

/** A tab of a record's page, next to the record itself and its history. */
export interface RecordTab {
  readonly name: string;
  readonly label: string;
  /** The right that a user needs to see the tab. */
  readonly right: Right;
  /** Whether the tab has a form, whose values stay when another tab is shown. */
  readonly hasForm?: boolean;
  readonly panel: (id: string, actions: RecordActions) => ReactNode;
}

/** The actions of a tab on the page of its record. */
export interface RecordActions {
  /** Reads the record again, after a write that changes the record. */
  readonly refetch: () => Promise<void>;
  /** Shows the form of the record and focuses an input. @param field as the service writes it */
  readonly edit: (field: string) => void;
}

interface ListProps {
  readonly list: RecordList;
  readonly tabs?: readonly RecordTab[];
}

/** The page of a new or existing record. */
export function RecordPage({ list, tabs = [] }: ListProps): ReactNode {
  const { id = 'new' } = useParams({ strict: false });
  return id === 'new' ? <NewRecord list={list} /> : <ExistingRecord key={id} list={list} tabs={tabs} id={id} />;
}

function NewRecord({ list }: ListProps): ReactNode {
  const navigate = useNavigate();
  const may = useMay();
  const editing = useRecordEditing(list, undefined, (saved) => {
    noteSaved();
    void navigate({ to: `/${list}/$id`, params: { id: idOf(saved) }, ignoreBlocker: true });
  });
  return (
    <Page title={kinds[list].create}>
      <RecordForm list={list} editing={editing} isReadOnly={!may(writeRightOf(list))} />
    </Page>
  );
}

/** An existing record, read on every visit and never while the user edits the record. */
function ExistingRecord({ list, tabs, id }: Required<ListProps> & { readonly id: string }): ReactNode {
  const record = useQuery({
    queryKey: [list, 'record', id],
    queryFn: ({ signal }) => getRecord(list, id, signal),
    staleTime: Infinity,
    gcTime: 0,
  });
  if (record.data) return <StoredRecord list={list} tabs={tabs} stored={record.data} />;
  return (
    <Page title={kinds[list].one}>
      {record.isError ? (
        <ProblemBox error={record.error} onRetry={() => void record.refetch()} />
      ) : (
        <Loader role="status" aria-label={texts.loading} />
      )}
    </Page>
  );
}

type StoredProps = Required<ListProps> & { readonly stored: Tagged<RecordDocument> };

function StoredRecord({ list, tabs, stored }: StoredProps): ReactNode {
  const may = useMay();
  const editing = useRecordEditing(list, stored, noteSaved);
  const { data } = editing.base ?? stored;
  const mayWrite = may(writeRightOf(list));
  const { tab, visited, show, edit } = useTab();
  const refetch = async (): Promise<void> => {
    editing.adopt(await getRecord(list, idOf(data)));
  };
  const shown = tabs.filter(({ right }) => may(right));
  return (
    <Page title={nameOf(data)} actions={mayWrite && <RecordButtons list={list} record={data} editing={editing} />}>
      <Tabs value={tab} onChange={show}>
        <Tabs.List>
          <Tabs.Tab value="record">{labels.record}</Tabs.Tab>
          {shown.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
          {may('audit.read') && <Tabs.Tab value="history">{labels.history}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="record" pt="md">
          <RecordForm list={list} editing={editing} isReadOnly={!mayWrite} />
        </Tabs.Panel>
        {shown.map(({ name, panel, hasForm = false }) => (
          <Tabs.Panel key={name} value={name} keepMounted={hasForm && visited.has(name)} pt="md">
            {panel(idOf(data), { refetch, edit })}
          </Tabs.Panel>
        ))}
        <Tabs.Panel value="history" keepMounted={false}>
          <History resource={list} id={idOf(data)} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** Manages the shown tab, and the tabs that were shown. */
function useTab(): {
  readonly tab: string;
  readonly visited: ReadonlySet<string>;
  readonly show: (name: string | null) => void;
  readonly edit: RecordActions['edit'];
} {
  const [visited, setVisited] = useState<readonly string[]>(['record']);
  const show = (name: string | null): void => {
    setVisited((names) => [...names.filter((each) => each !== name), name ?? 'record']);
  };
  const edit = (field: string): void => {
    flushSync(() => {
      show('record');
    });
    focusInput(field);
  };
  return { tab: visited.at(-1) ?? 'record', visited: new Set(visited), show, edit };
}

interface RecordButtonsProps {
  readonly list: RecordList;
  readonly record: RecordDocument;
  readonly editing: RecordEditing;
}

function RecordButtons({ list, record, editing }: RecordButtonsProps): ReactNode {
  return (
    <>
      {(list === 'partners' || list === 'cohorts') && (
        <PublicationButton list={list} record={record} editing={editing} />
      )}
      <RemoveButton words={removal} name={nameOf(record)} list={list} remove={() => removeRecord(list, idOf(record))} />
    </>
  );
}

function nameOf({ name, acronym }: RecordDocument): string {
  return ([name, acronym].find((text) => typeof text === 'string' && text !== '') as string | undefined) ?? nobodyNamed;
}
