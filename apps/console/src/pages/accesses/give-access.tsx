import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EditForm } from '../../parts/edit-form.tsx';
import { Page } from '../../parts/page.tsx';
import { RecordPicker } from '../../records/record-picker.tsx';
import type { SearchTexts } from '../../search-texts.ts';
import { texts } from '../../texts/texts.ts';
import { endOfDay } from '../keys/last-day.ts';
import { giveAccess } from './calls.ts';
import { UserPicker } from './user-picker.tsx';

const words = texts.people.accesses;

/** A form that grants an access. The address may contain the user or the dataset. */
export function GiveAccess(): ReactNode {
  const { user_id = '', dataset = '' }: SearchTexts = useSearch({ strict: false });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { user_id, dataset: /^\d*$/.test(dataset) ? dataset : '', expires_at: '', notes: '' },
    validate: {
      user_id: (id) => (id === '' ? texts.form.required : null),
      dataset: (id) => (id === '' ? texts.form.required : null),
    },
  });
  const save = async (values: ReturnType<typeof form.getValues>): Promise<void> => {
    const { notes, expires_at: day } = values;
    const chosen = { user_id: Number(values.user_id), dataset: values.dataset };
    const { id } = await giveAccess({ ...chosen, notes: notes || null, expires_at: endOfDay(day) });
    await queries.invalidateQueries({ queryKey: ['accesses'] });
    await navigate({ to: '/accesses/$id', params: { id: String(id) }, ignoreBlocker: true });
  };
  return (
    <Page title={words.create}>
      <EditForm form={form} onSave={save} saveLabel={words.create}>
        <UserPicker label={words.person} required {...form.getInputProps('user_id')} />
        <RecordPicker list="datasets" by="id" label={words.dataset} required {...form.getInputProps('dataset')} />
        <TextInput label={words.end} description={words.endHint} type="date" {...form.getInputProps('expires_at')} />
        <Textarea label={words.notes} autosize minRows={2} maxLength={1_000_000} {...form.getInputProps('notes')} />
      </EditForm>
    </Page>
  );
}
