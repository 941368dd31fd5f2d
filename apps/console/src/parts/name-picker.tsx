import { Select } from '@mantine/core';
import { useDebouncedValue, useDisclosure, useUncontrolled } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { texts } from '../texts/texts.ts';

const pauseMs = 250;

export interface NamePickerProps {
  readonly label: string;
  readonly description?: string | undefined;
  readonly required?: boolean;
  readonly error?: ReactNode;
  readonly defaultValue?: string;
  readonly onChange?: (value: string) => void;
  /** Is called when the user selects a new name. Without this callback, only existing names can be selected. */
  readonly onNew?: () => void;
  readonly 'data-path'?: string;
}

/** A source of names. */
export interface NameSource {
  /** The first part of the cache key of the names. */
  readonly queryKey: string;
  /** Returns the names that contain a text. */
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly string[]>;
}

/** An input that selects a name from the results of a search. */
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
