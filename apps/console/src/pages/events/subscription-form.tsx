import { MultiSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { EditForm } from '../../parts/edit-form.tsx';
import { texts } from '../../texts/texts.ts';
import type { Subscription, SubscriptionValues } from './calls.ts';

const words = texts.events;
const longestName = 64;
const longestUrl = 2000;
const types = Object.entries(words.typeNames).map(([value, label]) => ({ value, label }));

export interface SubscriptionFormProps {
  readonly subscription?: Subscription;
  /** Saves the values. @throws Problem if the service refuses */
  readonly onSave: (values: SubscriptionValues) => Promise<unknown>;
}

/** A form for an event subscription. */
export function SubscriptionForm({ subscription, onSave }: SubscriptionFormProps): ReactNode {
  const { name = '', url = '', types: wanted = [] } = subscription ?? {};
  const form = useForm<SubscriptionValues>({ mode: 'uncontrolled', initialValues: { name, url, types: [...wanted] } });
  const save = async (values: SubscriptionValues): Promise<void> => {
    await onSave(values);
    form.resetDirty();
  };
  return (
    <EditForm form={form} onSave={save} saveLabel={subscription ? texts.form.save : texts.form.create}>
      <TextInput
        key={form.key('name')}
        label={words.name}
        description={words.nameHint}
        required
        maxLength={longestName}
        {...form.getInputProps('name')}
      />
      <TextInput
        key={form.key('url')}
        label={words.url}
        description={words.urlHint}
        required
        type="url"
        maxLength={longestUrl}
        {...form.getInputProps('url')}
      />
      <MultiSelect
        key={form.key('types')}
        label={words.types}
        description={words.typesHint}
        required
        data={types}
        {...form.getInputProps('types')}
      />
    </EditForm>
  );
}
