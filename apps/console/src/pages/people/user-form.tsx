import { Checkbox, MultiSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { EditForm } from '../../parts/edit-form.tsx';
import { texts } from '../../texts/texts.ts';
import type { User, UserInput } from './calls.ts';

const { fields } = texts.people.users;

/** The values of a form for a user. */
export type UserValues = Required<Omit<UserInput, 'active' | 'last_name'>> & { readonly last_name: string };

export interface UserFormProps {
  readonly user?: User;
  /** Saves the values. @throws Problem if the service refuses */
  readonly onSave: (values: UserValues) => Promise<unknown>;
}

/** A form for a user. */
export function UserForm({ user, onSave }: UserFormProps): ReactNode {
  const form = useForm({ mode: 'uncontrolled', initialValues: valuesOf(user) });
  const save = async (values: ReturnType<typeof valuesOf>): Promise<void> => {
    await onSave({ ...values, email: values.email || null, subject: values.subject || null });
    form.resetDirty();
  };
  const text = (name: 'first_name' | 'last_name' | 'email' | 'subject') => ({
    label: fields[name],
    ...form.getInputProps(name),
  });
  return (
    <EditForm form={form} onSave={save} saveLabel={user ? texts.form.save : texts.form.create}>
      <TextInput
        key={form.key('first_name')}
        {...text('first_name')}
        maxLength={255}
        description={fields.firstNameHint}
      />
      <TextInput key={form.key('last_name')} {...text('last_name')} maxLength={255} required />
      <TextInput key={form.key('email')} {...text('email')} maxLength={254} type="email" />
      <TextInput key={form.key('subject')} {...text('subject')} maxLength={255} description={fields.subjectHint} />
      <MultiSelect
        key={form.key('roles')}
        label={fields.roles}
        description={fields.rolesHint}
        data={roles}
        clearable
        {...form.getInputProps('roles')}
      />
      {(['principal_investigator', 'technical'] as const).map((name) => (
        <Checkbox key={form.key(name)} label={fields[name]} {...form.getInputProps(name, { type: 'checkbox' })} />
      ))}
    </EditForm>
  );
}

const roles = Object.entries(texts.roles).map(([value, label]) => ({ value, label }));

function valuesOf(user: User | undefined) {
  return {
    first_name: user?.first_name ?? '',
    last_name: user?.last_name ?? '',
    email: user?.email ?? '',
    subject: user?.subject ?? '',
    roles: user?.roles ?? [],
    principal_investigator: user?.principal_investigator ?? false,
    technical: user?.technical ?? false,
  };
}
