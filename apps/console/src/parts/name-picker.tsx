import { Select } from '@mantine/core';
import { useDebouncedValue, useDisclosure, useUncontrolled } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { texts } from '../texts/texts.ts';

const pauseMs = 250;

/** An input that chooses one thing by its name. */
export interface NamePickerProps {
  readonly label: string;
  readonly description?: string | undefined;
  readonly required?: boolean;
  readonly error?: ReactNode;
  readonly defaultValue?: string;
  readonly onChange?: (value: string) => void;
  /** Told when a name is chosen that does not exist; only existing ones can be chosen without. */
  readonly onNew?: () => void;
  readonly 'data-path'?: string;
}

/** Where the names come from. */
export interface NameSource {
  /** Names the list among what is kept of earlier answers. */
  readonly queryKey: string;
  /** The names that hold a text. */
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly string[]>;
}

/** Chooses by name among what a service finds for what is typed. */
export function NamePicker(props: NamePickerProps & { readonly source: NameSource }): ReactNode {
  const { source, defaultValue = '', onChange, onNew, ...input } = props;
  const [value, setValue] = useUncontrolled({ defaultValue, finalValue: '', onChange });
  const [typed, setTyped] = useState('');
  const [isAsked, { open: ask }] = useDisclosure(false);
  const [text] = useDebouncedValue(typed === value ? '' : typed.trim(), pauseMs);
  const found = useQuery({
    queryKey: [source.queryKey, 'picker', text],
    queryFn: ({ signal }) => source.find(text, signal),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const names = [...new Set([...(found.data ?? []), ...(value ? [value] : [])])];
  const isNew = onNew !== undefined && text !== '' && found.isSuccess && !names.includes(text);
  const options = names.map((name) => ({ value: name, label: name }));
  return (
    <Select
      {...input}
      searchable
      clearable
      data={[...options, ...(isNew ? [{ value: text, label: texts.catalog.picker.create(text) }] : [])]}
      filter={({ options: all }) => all}
      value={value || null}
      onChange={(chosen) => {
        if (isNew && chosen === text) onNew();
        setValue(chosen ?? '');
      }}
      onDropdownOpen={ask}
      onSearchChange={setTyped}
      nothingFoundMessage={texts.list.nothingFound}
    />
  );
}
