import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { EditForm } from '../../parts/edit-form.tsx';
import { texts } from '../../texts/texts.ts';
import type { Platform, PlatformValues } from './calls.ts';

const words = texts.catalog.platforms;
const longestName = 10_000;

export interface PlatformFormProps {
  readonly platform?: Platform;
  /** Saves the values. @throws Problem if the service refuses */
  readonly onSave: (values: PlatformValues) => Promise<unknown>;
}

/** A form for a platform. */
export function PlatformForm({ platform, onSave }: PlatformFormProps): ReactNode {
  const initialValues: PlatformValues = { name: platform?.name ?? '', public: platform?.public ?? false };
  const form = useForm({ mode: 'uncontrolled', initialValues });
  const save = async (values: PlatformValues): Promise<void> => {
    await onSave(values);
    form.resetDirty();
  };
  return (
    <EditForm form={form} onSave={save} saveLabel={platform ? texts.form.save : texts.form.create}>
      <TextInput
        key={form.key('name')}
        label={words.name}
        required
        maxLength={longestName}
        {...form.getInputProps('name')}
      />
      <Checkbox
        key={form.key('public')}
        label={words.public}
        description={words.publicHint}
        {...form.getInputProps('public', { type: 'checkbox' })}
      />
    </EditForm>
  );
}
