import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { Tagged } from '../api/client.ts';
import { Problem } from '../api/problem.ts';
import { differencesOf } from '../parts/differences.ts';
import { schemaOf } from './kinds.ts';
import { createRecord, getRecord, idOf, type RecordDocument, type RecordList, replaceRecord } from './record-lists.ts';
import { missingIn } from './required.ts';
import { documentOf, type FormValues, valuesOf } from './schema.ts';

/** A record in a form. */
export interface RecordEditing {
  readonly form: UseFormReturnType<FormValues>;
  /** The record as of the last read or write, or undefined for a new record. */
  readonly base: Tagged<RecordDocument> | undefined;
  /** Notes that saving must create a record that the form names. */
  readonly noteNew: () => void;
  /** Saves the form. @throws Problem if the service refuses */
  readonly save: (values: FormValues) => Promise<void>;
  /** Applies a new version of the record, except to members with unsaved changes. */
  readonly adopt: (stored: Tagged<RecordDocument>) => void;
  /** The version that another user has stored since the last read, until the user chooses a version. */
  readonly conflict: Conflict;
}

/** Two versions of a record, and the actions that choose a version. */
interface Conflict {
  readonly stored: FormValues | undefined;
  readonly mine: FormValues | undefined;
  readonly onClose: () => void;
  readonly onTakeTheirs: () => void;
  readonly onKeepMine: () => Promise<void>;
}

/** Edits a new or existing record. @param onSaved is called after every save */
export function useRecordEditing(
  list: RecordList,
  stored: Tagged<RecordDocument> | undefined,
  onSaved: (saved: RecordDocument) => void,
): RecordEditing {
  const schema = schemaOf(list);
  const form = useForm<FormValues>({
    mode: 'uncontrolled',
    initialValues: valuesOf(schema, stored?.data ?? {}),
    validate: (values) => missingIn(schema, values),
    validateInputOnBlur: true,
  });
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
      // Members that the form omits may change without a user, e.g. the accession of a cohort that is published.
      if (differencesOf(shownOf(list, base), shownOf(list, theirs)).length > 0) note(theirs);
      else await finish(values, theirs.etag);
    }
  };
  return { form, base, save, adopt, noteNew: store.noteNew, conflict };
}

/** Manages the choice between the version that another user has stored and the version in the form. */
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

/** Returns functions that write a record. A write invalidates the cached lists. */
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

/** Returns the part of a record that its form shows, as a document. */
function shownOf(list: RecordList, { data }: Tagged<RecordDocument>): FormValues {
  const schema = schemaOf(list);
  return documentOf(schema, valuesOf(schema, data));
}

/** Shows the new values of the members without unsaved changes. */
function takeUp(form: UseFormReturnType<FormValues>, values: FormValues): void {
  const untouched = Object.entries(values).filter(([name]) => !form.isDirty(name));
  form.setInitialValues(values);
  form.setValues(Object.fromEntries(untouched));
}
