import { Autocomplete } from '@mantine/core';
import { useDebouncedValue, useUncontrolled } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { bodyOf, catalog } from '../api/client.ts';
import type { NamePickerProps } from '../parts/name-picker.tsx';

const pauseMs = 250;
/** Fewer characters fit too much to be worth asking. */
const leastCharacters = 2;

/** An input for text that is best a term of an ontology. */
export interface TermInputProps extends NamePickerProps {
  readonly category: 'disease' | 'phenotype' | 'study' | 'gene';
}

/** Offers the terms that fit what is typed; any other text may stand too. */
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
