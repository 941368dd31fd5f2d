import { Loader, Stack, Text } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { bodyOf, catalog, type Tagged } from '../api/client.ts';
import { Problem } from '../api/problem.ts';
import { EditForm } from '../parts/edit-form.tsx';
import { focusInput } from '../parts/focus-input.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { getRecord, patchRecord, type RecordDocument } from '../records/record-lists.ts';
import { documentOf, type FormValues, valuesOf } from '../records/schema.ts';
import { SchemaFields } from '../records/schema-fields.tsx';
import { useMay } from '../session/roles.ts';
import { texts } from '../texts/texts.ts';
import { healthMember, healthSchema, metadataOf, withoutBlanks } from './health-schema.ts';
import { ReadinessList } from './readiness-list.tsx';

const words = texts.readiness;

/** The beginning of the names of the members in this panel. */
const prefix = `metadata.${healthMember}.`;

export interface ReadinessPanelProps {
  readonly dataset: string;
  /** Shows the input of another member of the record. @param field as the service writes it */
  readonly onEdit: (field: string) => void;
  /** Is called after each save. */
  readonly onSaved: () => Promise<void>;
}

/** Whether a dataset is ready for the national catalogue, and the inputs of the facts that only a steward states. */
export function ReadinessPanel({ dataset, onEdit, onSaved }: ReadinessPanelProps): ReactNode {
  const readiness = useQuery({
    queryKey: ['datasets', 'readiness', dataset],
    queryFn: ({ signal }) =>
      bodyOf(catalog.GET('/api/datasets/{id}/readiness', { params: { path: { id: dataset } }, signal })),
  });
  const record = useQuery({
    queryKey: ['datasets', 'record', dataset, 'health'],
    queryFn: ({ signal }) => getRecord('datasets', dataset, signal),
    staleTime: Infinity,
    gcTime: 0,
  });
  const failed = [readiness, record].find(({ isError }) => isError);
  const edit = (field: string): void => {
    if (field.startsWith(prefix)) focusInput(field.slice(prefix.length));
    else onEdit(field);
  };
  return (
    <Stack>
      <Text c="dimmed">{words.hint}</Text>
      {failed && <ProblemBox error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed && (!readiness.data || !record.data) && <Loader role="status" aria-label={texts.loading} />}
      {readiness.data && <ReadinessList readiness={readiness.data} onEdit={edit} />}
      {record.data && <HealthForm dataset={dataset} stored={record.data} onSaved={onSaved} />}
    </Stack>
  );
}

interface HealthFormProps {
  readonly dataset: string;
  readonly stored: Tagged<RecordDocument>;
  readonly onSaved: () => Promise<void>;
}

/** The form of the facts. Saving keeps all other members of the metadata. */
function HealthForm({ dataset, stored, onSaved }: HealthFormProps): ReactNode {
  const [base, setBase] = useState(stored);
  const isReadOnly = !useMay()('catalog.write');
  const queries = useQueryClient();
  const form = useForm<FormValues>({ mode: 'uncontrolled', initialValues: valuesIn(stored) });
  const save = async (values: FormValues): Promise<void> => {
    const stated = withoutBlanks(documentOf(healthSchema, values));
    const metadata = { ...metadataOf(base.data), [healthMember]: stated };
    const saved = await patchRecord('datasets', dataset, { metadata }, base.etag).catch(withOwnFields);
    setBase(saved);
    replaceValues(form, valuesIn(saved));
    notifications.show({ message: texts.form.saved });
    await queries.invalidateQueries({ queryKey: ['datasets', 'readiness', dataset] });
    await onSaved();
  };
  return (
    <EditForm form={form} isReadOnly={isReadOnly} onSave={save}>
      <SchemaFields form={form} schema={healthSchema} />
    </EditForm>
  );
}

function valuesIn({ data }: Tagged<RecordDocument>): FormValues {
  return valuesOf(healthSchema, (metadataOf(data)[healthMember] ?? {}) as FormValues);
}

function replaceValues(form: UseFormReturnType<FormValues>, values: FormValues): void {
  form.setInitialValues(values);
  form.setValues(values);
  form.resetDirty();
}

/** Throws a problem whose fields have the names of this form. */
function withOwnFields(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  const fields = error.fields.map(({ field, problem }) => ({ field: field.replace(prefix, ''), problem }));
  throw new Problem(error.message, error.code, { ...error.more, ...(fields.length > 0 && { fields }) });
}
