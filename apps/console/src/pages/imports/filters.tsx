import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useListState } from '../../parts/list-state.ts';
import { texts } from '../../texts/texts.ts';
import { keys, searchSubmissions } from './calls.ts';

const pauseMs = 300;

/** A filter for a submission, with a search by its reference or title. */
export function SubmissionFilter(): ReactNode {
  const state = useListState();
  const { submission } = state.parameters;
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed, pauseMs);
  const found = useQuery({
    queryKey: [keys.submissions, 'choices', q],
    queryFn: ({ signal }) => searchSubmissions(q === '' || q === submission ? {} : { q }, signal),
    placeholderData: keepPreviousData,
  });
  const references = found.data?.items.map(({ reference }) => reference) ?? [];
  return (
    <Select
      label={texts.imports.fields.submission}
      placeholder={texts.list.all}
      searchable
      clearable
      data={[...new Set([...(submission === undefined ? [] : [submission]), ...references])]}
      filter={({ options }) => options}
      value={submission ?? null}
      onSearchChange={setTyped}
      onChange={(value) => {
        state.set({ submission: value ?? undefined });
      }}
    />
  );
}
