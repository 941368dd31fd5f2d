import { Select } from '@mantine/core';
import { useDebouncedValue, useUncontrolled } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { texts } from '../../texts/texts.ts';
import { getUser, nameOf, searchUsers, type User } from '../people/calls.ts';

/** Maximum number of options. A longer search text finds other users. */
const offered = 20;
const pauseMs = 250;

export interface UserPickerProps {
  readonly label: string;
  readonly required?: boolean;
  readonly error?: ReactNode;
  /** The id of the user, or an empty text for no user. */
  readonly defaultValue?: string;
  readonly onChange?: (id: string) => void;
  readonly 'data-path'?: string;
}

/** An input that selects an active user by name, e-mail address or subject. */
export function UserPicker({ defaultValue, onChange, ...input }: UserPickerProps): ReactNode {
  const [value, setValue] = useUncontrolled({ defaultValue, finalValue: '', onChange });
  const [typed, setTyped] = useState('');
  const chosen = useQuery({
    queryKey: ['users', 'record', value],
    queryFn: ({ signal }) => getUser(value, signal),
    enabled: value !== '',
  });
  const label = chosen.data && labelOf(chosen.data);
  const [q] = useDebouncedValue(typed === label ? '' : typed.trim(), pauseMs);
  const found = useQuery({
    queryKey: ['users', 'picker', q],
    queryFn: ({ signal }) => searchUsers({ active: 'true', limit: String(offered), ...(q && { q }) }, signal),
    placeholderData: keepPreviousData,
  });
  const users = [...(found.data?.items ?? []), ...(chosen.data ? [chosen.data] : [])];
  const options = new Map(users.map((user) => [String(user.id), labelOf(user)]));
  return (
    <Select
      {...input}
      searchable
      clearable
      data={[...options].map(([id, text]) => ({ value: id, label: text }))}
      filter={({ options: all }) => all}
      value={value || null}
      onChange={(id) => {
        setValue(id ?? '');
      }}
      onSearchChange={setTyped}
      nothingFoundMessage={texts.list.nothingFound}
    />
  );
}

function labelOf(user: User): string {
  return user.email === null ? nameOf(user) : `${nameOf(user)} (${user.email})`;
}
