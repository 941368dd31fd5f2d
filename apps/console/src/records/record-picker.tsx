import { MultiSelect, Select } from '@mantine/core';
import { useDebouncedValue, useDisclosure, useUncontrolled } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useContext, useState } from 'react';
import { texts } from '../texts/texts.ts';
import { NamesNew } from './names-new.ts';
import { getRecord, type RecordList, type RecordRow, searchRecords } from './record-lists.ts';

/** Maximum number of options. A longer search text finds other records. */
const offered = 20;
const pauseMs = 250;

export interface RecordPickerProps {
  readonly list: RecordList;
  readonly label: string;
  readonly description?: string | undefined;
  readonly required?: boolean;
  /** The member of a record that becomes the value of the input. */
  readonly by: 'name' | 'acronym' | 'id';
  /** Whether the input accepts the name of a record that does not exist and is created when the form is saved. */
  readonly mayCreate?: boolean;
  readonly error?: ReactNode;
  readonly 'data-path'?: string;
}

interface Single extends RecordPickerProps {
  readonly defaultValue?: string | number;
  readonly onChange?: (value: string) => void;
}

interface Several extends RecordPickerProps {
  readonly defaultValue?: readonly (string | number)[];
  readonly onChange?: (value: string[]) => void;
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** An input that selects at most one record. */
export function RecordPicker({ list, by, mayCreate = false, defaultValue, onChange, ...input }: Single): ReactNode {
  const [value, setValue] = useUncontrolled({ defaultValue: String(defaultValue ?? ''), finalValue: '', onChange });
  const [typed, setTyped] = useState('');
  const [isAsked, { open: ask }] = useDisclosure(false);
  const noteNew = useContext(NamesNew);
  const options = useOptions({
    ...{ list, by, mayCreate, isAsked },
    typed: typed === value ? '' : typed,
    chosen: value ? [value] : [],
  });
  return (
    <Select
      {...input}
      searchable
      clearable
      data={options}
      filter={({ options: all }) => all}
      value={value || null}
      onChange={(chosen, option) => {
        if (isCreation(option)) noteNew();
        setValue(chosen ?? '');
      }}
      onDropdownOpen={ask}
      onSearchChange={setTyped}
      nothingFoundMessage={texts.catalog.picker.nothing}
    />
  );
}

/** An input that selects any number of records. */
export function RecordsPicker({ list, by, mayCreate = false, defaultValue, onChange, ...input }: Several): ReactNode {
  const [value, setValue] = useUncontrolled<string[]>({
    defaultValue: (defaultValue ?? []).map(String),
    finalValue: [],
    onChange,
  });
  const [typed, setTyped] = useState('');
  const [isAsked, { open: ask }] = useDisclosure(false);
  const noteNew = useContext(NamesNew);
  const options = useOptions({ ...{ list, by, mayCreate, isAsked }, typed, chosen: value });
  return (
    <MultiSelect
      {...input}
      searchable
      clearable
      data={options}
      filter={({ options: all }) => all}
      value={value}
      onChange={(all) => {
        if (options.some((option) => isCreation(option) && all.includes(option.value))) noteNew();
        setValue(all);
      }}
      onDropdownOpen={ask}
      onSearchChange={setTyped}
      nothingFoundMessage={texts.catalog.picker.nothing}
    />
  );
}

interface Wanted {
  readonly list: RecordList;
  readonly by: RecordPickerProps['by'];
  readonly mayCreate: boolean;
  /** Whether the user has opened the list of options. No request is sent before. */
  readonly isAsked: boolean;
  readonly typed: string;
  readonly chosen: readonly string[];
}

/** Returns the options: records that match the search, selected records, and a record that would be created. */
function useOptions({ list, by, mayCreate, isAsked, typed, chosen }: Wanted): Option[] {
  const [q] = useDebouncedValue(typed.trim(), pauseMs);
  const found = useQuery({
    queryKey: [list, 'picker', q],
    queryFn: ({ signal }) => searchRecords(list, { limit: String(offered), ...(q && { q }) }, signal),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const rows = (found.data?.items ?? []).map((row) => optionOf(row, by));
  const known = new Set(rows.map(({ value }) => value));
  const missing = useLabels({ list, by, values: chosen.filter((value) => !known.has(value)) });
  const isNew = mayCreate && q !== '' && found.isSuccess && !known.has(q) && !chosen.includes(q);
  return [...rows, ...missing, ...(isNew ? [{ value: q, label: texts.catalog.picker.create(q) }] : [])];
}

interface Unlabelled extends Pick<Wanted, 'list' | 'by'> {
  readonly values: readonly string[];
}

/** Returns options for selected values that the search did not find. A value other than an id is its own label. */
function useLabels({ list, by, values }: Unlabelled): Option[] {
  const ids = by === 'id' ? values.filter((value) => /^\d+$/.test(value)) : [];
  const named = useQueries({
    queries: ids.map((id) => ({
      queryKey: [list, 'name', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => getRecord(list, id, signal),
    })),
  });
  return values.map((value) => {
    const { name = value } = named[ids.indexOf(value)]?.data?.data ?? {};
    return { value, label: String(name) };
  });
}

const isCreation = (option: Option | null): boolean =>
  option !== null && option.label === texts.catalog.picker.create(option.value);

function optionOf({ id, name, acronym }: RecordRow, by: RecordPickerProps['by']): Option {
  const label = acronym !== null && acronym !== '' ? `${acronym}: ${name}` : name;
  return { value: by === 'id' ? String(id) : by === 'acronym' ? (acronym ?? name) : name, label };
}
