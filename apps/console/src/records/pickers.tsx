import type { ReactNode } from 'react';
import { descriptionOf, labelOf } from './labels.ts';
import { PlatformPicker } from './platform-picker.tsx';
import { RecordPicker, RecordsPicker } from './record-picker.tsx';
import { namingMember } from './schema.ts';
import type { SchemaFieldProps } from './schema-field.tsx';
import { TermInput } from './term-input.tsx';

/** Members that a form omits, because another member contains the same value. */
export const hiddenMembers: readonly string[] = ['project_external_id'];

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
  if (name === 'use_class_note') return <TermInput key={key} {...props} category="disease" />;
  const naming = namingMember(schema);
  if (naming === undefined) return undefined;
  return <RecordsPicker key={key} {...props} list={naming === 'cohort' ? 'cohorts' : 'partners'} by="name" mayCreate />;
}
