import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import classes from './fields.module.css';
import { descriptionOf, labelOf, singularOf, wordOf } from './labels.ts';
import { hiddenMembers, widthOf } from './layouts.ts';
import { MetadataInput } from './metadata-input.tsx';
import { pickerOf, type SchemaFieldProps } from './pickers.tsx';
import {
  blankValues,
  type FormValues,
  isNullable,
  isObjectList,
  type MemberSchema,
  namingMember,
  writable,
} from './schema.ts';

/** The largest `maxLength` of a member whose input has a single line: that of a name. */
const longText = 10_000;

interface SchemaFieldsProps {
  readonly form: UseFormReturnType<FormValues>;
  readonly schema: MemberSchema;
  /** The path of the object in the form; absent for the record itself. */
  readonly path?: string;
  /** The members, in their order. All writable members by default. */
  readonly members?: readonly string[];
}

/** An input for every writable member of an object, in columns. */
export function SchemaFields({ form, schema, path, members }: SchemaFieldsProps): ReactNode {
  const all = writable(schema).filter(([name]) => !hiddenMembers.includes(name));
  const shown = members ? members.flatMap((member) => all.filter(([name]) => name === member)) : all;
  return (
    <div className={classes['fields']}>
      {shown.map(([name, member]) => (
        <div key={name} className={classes[widthOf(name, member)]}>
          <SchemaField
            form={form}
            path={path === undefined ? name : `${path}.${name}`}
            name={name}
            schema={member}
            isRequired={schema.required?.includes(name) ?? false}
          />
        </div>
      ))}
    </div>
  );
}

/** The input for a member, chosen by the member's schema. */
function SchemaField(props: SchemaFieldProps): ReactNode {
  const { form, path, name, schema, isRequired } = props;
  const picker = pickerOf(props);
  if (picker !== undefined) return picker;
  if (isObjectList(schema) && namingMember(schema) === undefined) return <ObjectList {...props} />;
  const input = {
    label: labelOf(name),
    description: descriptionOf(schema),
    required: isRequired,
    ...(schema.maxLength !== undefined && { maxLength: schema.maxLength }),
  };
  const type = schema.type === 'boolean' ? 'checkbox' : 'input';
  return <Input key={form.key(path)} schema={schema} input={input} bound={form.getInputProps(path, { type })} />;
}

interface InputProps {
  readonly schema: MemberSchema;
  readonly input: { readonly label: string; readonly description: string | undefined; readonly required: boolean };
  readonly bound: ReturnType<UseFormReturnType<FormValues>['getInputProps']>;
}

function Input({ schema, input, bound }: InputProps): ReactNode {
  const { type = '', format, maxLength = 0, items, contentMediaType } = schema;
  const words = schema.enum ?? items?.enum;
  if (type === 'boolean') return <Checkbox label={input.label} description={input.description} {...bound} />;
  if (type.includes('boolean')) return <Select {...input} {...bound} data={threefold} allowDeselect={false} />;
  if (words && items)
    return <MultiSelect {...input} {...bound} data={optionsOf(words, items['x-enum-labels'])} searchable clearable />;
  if (words) return <Select {...input} {...bound} data={optionsOf(words)} searchable {...selection(schema)} />;
  if (items) return <TagsInput {...input} {...bound} clearable />;
  if (type.includes('integer')) return <NumberInput {...input} {...bound} allowDecimal={false} />;
  if (format === 'date') return <TextInput {...input} {...bound} type="date" />;
  if (contentMediaType !== undefined) return <MetadataInput {...input} {...bound} />;
  if (maxLength > longText) {
    return <Textarea {...input} {...bound} autosize minRows={2} maxRows={12} />;
  }
  return <TextInput {...input} {...bound} />;
}

const threefold = [
  { value: '', label: texts.catalog.unknown },
  { value: 'true', label: texts.yes },
  { value: 'false', label: texts.no },
];

function optionsOf(
  words: readonly (string | null)[],
  labels: Readonly<Record<string, string>> = {},
): { value: string; label: string }[] {
  return words.filter((word) => word !== null).map((word) => ({ value: word, label: labels[word] ?? wordOf(word) }));
}

function selection(schema: MemberSchema): object {
  return isNullable(schema) ? { clearable: true } : { allowDeselect: false };
}

/** A list of objects, each in a frame with an input for every member. */
function ObjectList({ form, path, name, schema }: SchemaFieldProps): ReactNode {
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
          data-member={path}
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
        <SchemaFields form={form} schema={items} path={`${path}.${String(index)}`} />
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
