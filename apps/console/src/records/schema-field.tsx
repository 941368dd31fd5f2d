import { Checkbox, MultiSelect, NumberInput, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { descriptionOf, labelOf, wordOf } from './labels.ts';
import { ObjectList } from './object-list.tsx';
import { pickerOf } from './pickers.tsx';
import { type FormValues, isNullable, isObjectList, type MemberSchema, namingMember } from './schema.ts';

/** The largest `maxLength` of a member whose input has a single line. */
const longText = 2_000;

export interface SchemaFieldProps {
  readonly form: UseFormReturnType<FormValues>;
  /** The path of the member in the form, e.g. `data_declarations.0.title`. */
  readonly path: string;
  readonly name: string;
  readonly schema: MemberSchema;
  readonly isRequired: boolean;
}

/** The input for a member, chosen by the member's schema. */
export function SchemaField(props: SchemaFieldProps): ReactNode {
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
  if (words && items) return <MultiSelect {...input} {...bound} data={optionsOf(words)} clearable />;
  if (words) return <Select {...input} {...bound} data={optionsOf(words)} {...selection(schema)} />;
  if (items) return <TagsInput {...input} {...bound} clearable />;
  if (type.includes('integer')) return <NumberInput {...input} {...bound} allowDecimal={false} />;
  if (format === 'date') return <TextInput {...input} {...bound} type="date" />;
  if (maxLength > longText || contentMediaType !== undefined) {
    return <Textarea {...input} {...bound} autosize minRows={2} maxRows={12} />;
  }
  return <TextInput {...input} {...bound} />;
}

const threefold = [
  { value: '', label: texts.catalog.unknown },
  { value: 'true', label: texts.yes },
  { value: 'false', label: texts.no },
];

function optionsOf(words: readonly (string | null)[]): { value: string; label: string }[] {
  return words.filter((word) => word !== null).map((word) => ({ value: word, label: wordOf(word) }));
}

function selection(schema: MemberSchema): object {
  return isNullable(schema) ? { clearable: true } : { allowDeselect: false };
}
