import { Checkbox, Fieldset, NumberInput, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { bodyOf, catalog } from '../api/client.ts';
import type { components } from '../api/generated/catalog-api.ts';
import { EditForm } from '../parts/edit-form.tsx';
import { texts } from '../texts/texts.ts';
import { EndpointPicker } from '../parts/endpoint-picker.tsx';

const words = texts.catalog.exposures;
const blank = { endpoint: '', form_id: '' as string | number, form_name: '', request_pdf_enabled: false };

/** A form that exposes a dataset to an endpoint. */
export function ExposeForm({ dataset }: { readonly dataset: string }): ReactNode {
  const queries = useQueryClient();
  const form = useForm({ mode: 'uncontrolled', initialValues: blank });
  const expose = async (wanted: typeof blank): Promise<void> => {
    await bodyOf(
      catalog.POST('/api/datasets/{dataset}/exposures', { params: { path: { dataset } }, body: bodyFor(wanted) }),
    );
    form.reset();
    notifications.show({ message: words.active });
    await queries.invalidateQueries({ predicate: ({ queryKey: [, what] }) => what !== 'record' });
  };
  return (
    <Fieldset legend={words.exposeHeading}>
      <EditForm form={form} onSave={expose} saveLabel={words.expose}>
        <Inputs form={form} />
      </EditForm>
    </Fieldset>
  );
}

/** Returns the request body. An empty input omits `form_id`, which only a connected access-request system requires. */
function bodyFor({ form_id: form, ...wanted }: typeof blank): components['schemas']['CreateExposure'] {
  return { ...wanted, form_id: form === '' ? undefined : Number(form) };
}

function Inputs({ form }: { readonly form: UseFormReturnType<typeof blank> }): ReactNode {
  return (
    <Stack>
      <EndpointPicker key={form.key('endpoint')} {...form.getInputProps('endpoint')} label={words.endpoint} required />
      <NumberInput
        key={form.key('form_id')}
        {...form.getInputProps('form_id')}
        label={words.formId}
        description={words.formIdHint}
        allowDecimal={false}
        min={0}
      />
      <TextInput
        key={form.key('form_name')}
        {...form.getInputProps('form_name')}
        label={words.formName}
        maxLength={500}
      />
      <Checkbox
        key={form.key('request_pdf_enabled')}
        {...form.getInputProps('request_pdf_enabled', { type: 'checkbox' })}
        label={words.pdf}
      />
    </Stack>
  );
}
