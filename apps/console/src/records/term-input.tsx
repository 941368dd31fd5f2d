import { Autocomplete } from '@mantine/core';
import { useDebouncedValue, useUncontrolled } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { bodyOf, catalog } from '../api/client.ts';
import type { NamePickerProps } from '../parts/name-picker.tsx';

const pauseMs = 250;
/** Minimum length of a search text. Shorter texts match too many terms. */
const leastCharacters = 2;

export interface TermInputProps extends NamePickerProps {
  readonly category: 'disease' | 'phenotype' | 'study' | 'gene';
}

/** An input that suggests ontology terms and accepts any other text. */
export function TermInput({ category, defaultValue, onChange, ...input }: TermInputProps): ReactNode {
  const [value, setValue] = useUncontrolled({ defaultValue, finalValue: '', onChange });
  const [first] = useState(value);
  const [search] = useDebouncedValue(value.trim(), pauseMs);
  const found = useQuery({
    queryKey: ['terms', category, search],
    enabled: search.length >= leastCharacters && search !== first,
    queryFn: ({ signal }) =>
      bodyOf(
        catalog.GET('/api/termsearch/{category}', {
          params: { path: { category }, query: { search, page: 1 } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  const terms = (found.data?.results ?? []).map(({ text, term_id: id }) => `${text} (${id})`);
  return (
    <Autocomplete
      {...input}
      data={[...new Set(terms)]}
      filter={({ options }) => options}
      value={value}
      onChange={setValue}
    />
  );
}
