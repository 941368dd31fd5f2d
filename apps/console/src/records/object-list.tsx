import { Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { labelOf, singularOf } from './labels.ts';
import { blankValues, type FormValues, type MemberSchema, writable } from './schema.ts';
import { SchemaField, type SchemaFieldProps } from './schema-field.tsx';
import { hiddenMembers } from './pickers.tsx';

/** A list of objects, each in a frame with an input for every member. */
export function ObjectList({ form, path, name, schema }: SchemaFieldProps): ReactNode {
  const { items, description } = schema;
  if (!items) return null;
  return (
    <Stack gap="xs" role="group" aria-label={labelOf(name)}>
      <Text fw={500} size="sm" aria-hidden>
        {labelOf(name)}
      </Text>
      {description !== undefined && (
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      )}
      {entriesAt(form.getValues(), path).map((_, index) => (
        <Entry key={form.key(`${path}.${String(index)}`)} {...{ form, path, name, index, items }} />
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            form.insertListItem(path, blankValues(items));
          }}
        >
          {texts.catalog.addEntry(singularOf(name))}
        </Button>
      </Group>
    </Stack>
  );
}

interface EntryProps extends Pick<SchemaFieldProps, 'form' | 'path' | 'name'> {
  readonly index: number;
  readonly items: MemberSchema;
}

function Entry({ form, path, name, index, items }: EntryProps): ReactNode {
  const title = `${singularOf(name)} ${String(index + 1)}`;
  return (
    <Fieldset legend={title}>
      <Stack gap="sm">
        {writable(items)
          .filter(([member]) => !hiddenMembers.includes(member))
          .map(([member, schema]) => (
            <SchemaField
              key={member}
              form={form}
              path={`${path}.${String(index)}.${member}`}
              name={member}
              schema={schema}
              isRequired={items.required?.includes(member) ?? false}
            />
          ))}
        <Group>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              form.removeListItem(path, index);
            }}
          >
            {texts.catalog.removeEntry(title)}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

function entriesAt(values: FormValues, path: string): readonly unknown[] {
  const found = path.split('.').reduce<unknown>((value, step) => (value as FormValues | undefined)?.[step], values);
  return Array.isArray(found) ? (found as unknown[]) : [];
}
