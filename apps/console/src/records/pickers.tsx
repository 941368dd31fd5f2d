import { Select, TagsInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { countryOptions } from './countries.ts';
import { descriptionOf, labelOf } from './labels.ts';
import { PlatformPicker } from './platform-picker.tsx';
import { RecordPicker, RecordsPicker } from './record-picker.tsx';
import { type FormValues, type MemberSchema, namingMember } from './schema.ts';
import { TermInput } from './term-input.tsx';
import { UseClassSelect } from './use-class-select.tsx';

/** A member of a form for an object. */
export interface SchemaFieldProps {
  readonly form: UseFormReturnType<FormValues>;
  /** The path of the member in the form, e.g. `data_declarations.0.title`. */
  readonly path: string;
  readonly name: string;
  readonly schema: MemberSchema;
  readonly isRequired: boolean;
}

/** Returns the input of a member that names other records or terms, or undefined for other members. */
export function pickerOf({ form, path, name, schema, isRequired }: SchemaFieldProps): ReactNode {
  const input = {
    key: form.key(path),
    label: labelOf(name),
    description: descriptionOf(schema),
    required: isRequired,
    ...form.getInputProps(path),
  };
  const { key, ...props } = input;
  if (name === 'project') return <RecordPicker key={key} {...props} list="projects" by="acronym" mayCreate />;
  if (name === 'project_id') return <RecordPicker key={key} {...props} list="projects" by="id" />;
  if (name === 'partner') return <RecordPicker key={key} {...props} list="partners" by="name" mayCreate />;
  if (name === 'platform') return <PlatformPicker key={key} {...props} />;
  if (name === 'institutes') return <RecordsPicker key={key} {...props} list="partners" by="id" mayCreate />;
  if (name === 'affiliations') return <RecordsPicker key={key} {...props} list="partners" by="name" mayCreate />;
  if (name === 'use_class') {
    return <UseClassSelect key={key} {...props} codes={schema.enum?.filter((code) => code !== null) ?? []} />;
  }
  if (name === 'use_class_note') return <TermInput key={key} {...props} category="disease" />;
  if (name === 'country_code') return <Select key={key} {...props} data={countryOptions()} searchable clearable />;
  if (name === 'data_types') return <TagsInput key={key} {...props} data={texts.reading.dataTypes} clearable />;
  const naming = namingMember(schema);
  if (naming === undefined) return undefined;
  return <RecordsPicker key={key} {...props} list={naming === 'cohort' ? 'cohorts' : 'partners'} by="name" mayCreate />;
}
