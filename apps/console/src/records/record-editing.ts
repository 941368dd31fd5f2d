import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { Tagged } from '../api/client.ts';
import { Problem } from '../api/problem.ts';
import { differencesOf } from '../parts/differences.ts';
import { schemaOf } from './kinds.ts';
import { createRecord, getRecord, idOf, type RecordDocument, type RecordList, replaceRecord } from './record-lists.ts';
import { documentOf, type FormValues, valuesOf } from './schema.ts';

/** A record in a form. */
export interface RecordEditing {
  readonly form: UseFormReturnType<FormValues>;
  /** The record as it was stored when it was last read or written; undefined while there is none. */
  readonly base: Tagged<RecordDocument> | undefined;
  /** Told that something is named that is to be made when the record is saved. */
  readonly noteNew: () => void;
  /** Stores what the form holds. @throws Problem */
  readonly save: (values: FormValues) => Promise<void>;
  /** Takes up a new state of the record; what somebody is writing meanwhile stays. */
  readonly adopt: (stored: Tagged<RecordDocument>) => void;
  /** What somebody else has stored meanwhile, until it is decided which of the two counts. */
  readonly conflict: Conflict;
}

/** Two versions of a record, as documents, and the decision between them. */
interface Conflict {
  readonly stored: FormValues | undefined;
  readonly mine: FormValues | undefined;
  readonly onClose: () => void;
  readonly onTakeTheirs: () => void;
  readonly onKeepMine: () => Promise<void>;
}

/** Edits a record, or a new one. @param onSaved told once it is stored */
export function useRecordEditing(
  list: RecordList,
  stored: Tagged<RecordDocument> | undefined,
  onSaved: (saved: RecordDocument) => void,
): RecordEditing {
  const schema = schemaOf(list);
  const form = useForm<FormValues>({ mode: 'uncontrolled', initialValues: valuesOf(schema, stored?.data ?? {}) });
  const [base, setBase] = useState(stored);
  const store = useStore(list, base);
  const adopt = (next: Tagged<RecordDocument>): void => {
    takeUp(form, valuesOf(schema, next.data));
    setBase(next);
  };
  const replaceWith = (next: Tagged<RecordDocument>): void => {
    form.resetDirty();
    adopt(next);
  };
  const finish = async (values: FormValues, etag: string | null | undefined): Promise<void> => {
    const saved = await store.write(documentOf(schema, values), etag);
    replaceWith(saved);
    onSaved(saved.data);
  };
  const { conflict, note } = useConflict(list, form, replaceWith, finish);
  const save = async (values: FormValues): Promise<void> => {
    try {
      await finish(values, base?.etag);
    } catch (error) {
      if (!base || !(error instanceof Problem) || error.code !== 'precondition.failed') throw error;
      const theirs = await getRecord(list, idOf(base.data));
      // What the form does not show may change by itself, e.g. the accession of a cohort that is now published.
      if (differencesOf(shownOf(list, base), shownOf(list, theirs)).length > 0) note(theirs);
      else await finish(values, theirs.etag);
    }
  };
  return { form, base, save, adopt, noteNew: store.noteNew, conflict };
}

/** What somebody else has stored, and the decision between it and what is in the form. */
function useConflict(
  list: RecordList,
  form: RecordEditing['form'],
  replaceWith: (stored: Tagged<RecordDocument>) => void,
  finish: (values: FormValues, etag: string | null) => Promise<void>,
): { readonly conflict: Conflict; readonly note: (theirs: Tagged<RecordDocument>) => void } {
  const schema = schemaOf(list);
  const [theirs, note] = useState<Tagged<RecordDocument>>();
  const decide = (then?: (stored: Tagged<RecordDocument>) => void) => (): void => {
    note(undefined);
    if (theirs) then?.(theirs);
  };
  return {
    note,
    conflict: {
      stored: theirs && shownOf(list, theirs),
      mine: theirs && documentOf(schema, form.getValues()),
      onClose: decide(),
      onTakeTheirs: decide(replaceWith),
      onKeepMine: async () => {
        await finish(form.getValues(), theirs?.etag ?? null);
        note(undefined);
      },
    },
  };
}

/** Writes a record; lists are read anew afterwards. */
function useStore(list: RecordList, base: Tagged<RecordDocument> | undefined) {
  const queries = useQueryClient();
  const namesNew = useRef(false);
  const noteNew = useCallback(() => {
    namesNew.current = true;
  }, []);
  const write = async (document: FormValues, etag: string | null | undefined): Promise<Tagged<RecordDocument>> => {
    const options = { etag, createMissing: namesNew.current };
    const saved = await (base
      ? replaceRecord(list, idOf(base.data), document, options)
      : createRecord(list, document, options));
    namesNew.current = false;
    await queries.invalidateQueries({ predicate: ({ queryKey: [, what] }) => what !== 'record' });
    return saved;
  };
  return { noteNew, write };
}

/** What a form shows of a record, as a document. */
function shownOf(list: RecordList, { data }: Tagged<RecordDocument>): FormValues {
  const schema = schemaOf(list);
  return documentOf(schema, valuesOf(schema, data));
}

/** Shows the new values of the members that nobody is changing. */
function takeUp(form: UseFormReturnType<FormValues>, values: FormValues): void {
  const untouched = Object.entries(values).filter(([name]) => !form.isDirty(name));
  form.setInitialValues(values);
  form.setValues(Object.fromEntries(untouched));
}
