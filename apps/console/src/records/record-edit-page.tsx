import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { Tagged } from '../api/client.ts';
import { Asked } from '../parts/asked.tsx';
import { focusInput } from '../parts/focus-input.ts';
import { Page } from '../parts/page.tsx';
import { useMay } from '../session/roles.ts';
import { texts } from '../texts/texts.ts';
import { writeRightOf } from './kinds.ts';
import { useRecordEditing } from './record-editing.ts';
import { RecordForm } from './record-form.tsx';
import { getRecord, idOf, type RecordDocument, type RecordList } from './record-lists.ts';
import { nameOf } from './record-name.ts';

const { kinds } = texts.catalog;

interface ListProps {
  readonly list: RecordList;
}

/** The form of a new record. */
export function NewRecordPage({ list }: ListProps): ReactNode {
  return (
    <Page title={kinds[list].create}>
      <RecordEditor list={list} stored={undefined} />
    </Page>
  );
}

/** The form of an existing record, which is read on every visit and never while the user edits the record. */
export function RecordEditPage({ list }: ListProps): ReactNode {
  const { id = '' } = useParams({ strict: false });
  const record = useQuery({
    queryKey: [list, 'record', id],
    queryFn: ({ signal }) => getRecord(list, id, signal),
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Page title={record.data ? texts.reading.editing(nameOf(record.data.data)) : kinds[list].one}>
      <Asked query={record}>{(stored) => <RecordEditor key={id} list={list} stored={stored} />}</Asked>
    </Page>
  );
}

interface RecordEditorProps extends ListProps {
  readonly stored: Tagged<RecordDocument> | undefined;
}

/** A form that leads to the record's page when the record is saved. The fragment of the address names the input to focus. */
function RecordEditor({ list, stored }: RecordEditorProps): ReactNode {
  const navigate = useNavigate();
  const { hash } = useLocation();
  const may = useMay();
  useEffect(() => {
    if (hash !== '') focusInput(hash);
  }, [hash]);
  const show = (record: RecordDocument, ignoreBlocker: boolean): void => {
    void navigate({ to: `/${list}/$id`, params: { id: idOf(record) }, ignoreBlocker });
  };
  const editing = useRecordEditing(list, stored, (saved) => {
    notifications.show({ message: texts.form.saved });
    show(saved, true);
  });
  const cancel = (): void => {
    if (stored) show(stored.data, false);
    else void navigate({ to: `/${list}` });
  };
  return <RecordForm list={list} editing={editing} isReadOnly={!may(writeRightOf(list))} onCancel={cancel} />;
}
