import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { EditForm } from '../../parts/edit-form.tsx';
import { texts } from '../../texts/texts.ts';
import { KeyInput } from '../keys/key-input.tsx';
import type { Endpoint } from './calls.ts';

const words = texts.people.endpoints;

/** The values of a form. Only a new endpoint has a `key`. If the `key` is empty, the service generates a key. */
export interface EndpointValues {
  readonly name: string;
  readonly url_pattern: string;
  readonly public: boolean;
  readonly key: string;
}

export interface EndpointFormProps {
  readonly endpoint?: Endpoint;
  /** Saves the values. @throws Problem if the service refuses */
  readonly onSave: (values: EndpointValues) => Promise<unknown>;
}

/** A form for an endpoint. */
export function EndpointForm({ endpoint, onSave }: EndpointFormProps): ReactNode {
  const initialValues: EndpointValues = {
    name: endpoint?.name ?? '',
    url_pattern: endpoint?.url_pattern ?? '',
    public: endpoint?.public ?? false,
    key: '',
  };
  const form = useForm({ mode: 'uncontrolled', initialValues });
  const save = async (values: EndpointValues): Promise<void> => {
    await onSave(values);
    form.resetDirty();
  };
  return (
    <EditForm form={form} onSave={save} saveLabel={endpoint ? texts.form.save : texts.form.create}>
      <TextInput key={form.key('name')} label={words.name} required maxLength={128} {...form.getInputProps('name')} />
      <TextInput
        key={form.key('url_pattern')}
        label={words.address}
        description={words.addressHint}
        maxLength={256}
        {...form.getInputProps('url_pattern')}
      />
      <Checkbox
        key={form.key('public')}
        label={words.public}
        description={words.publicHint}
        {...form.getInputProps('public', { type: 'checkbox' })}
      />
      {!endpoint && <KeyInput key={form.key('key')} {...form.getInputProps('key')} />}
    </EditForm>
  );
}
