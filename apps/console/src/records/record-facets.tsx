import { Button, Select, SimpleGrid } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { bodyOf, catalog } from '../api/client.ts';
import type { components } from '../api/generated/catalog-api.ts';
import { useListState } from '../parts/list-state.ts';
import { texts } from '../texts/texts.ts';
import type { RecordList } from './record-lists.ts';

const words = texts.finding.facets;

type Facets = components['schemas']['FacetResponse'];
type Facet = Facets['facets'][number];

/** The parameters that do not change the number of records. */
const uncounted = ['sort', 'cursor', 'limit'];

/** Filters of a list, each with the number of records per value. The address contains the chosen values. */
export function RecordFacets({ list }: { readonly list: RecordList }): ReactNode {
  const { parameters } = useListState();
  const query = Object.fromEntries(Object.entries(parameters).filter(([name]) => !uncounted.includes(name)));
  const path = `/api/admin/${list}/facets` as '/api/admin/datasets/facets';
  const { data } = useQuery({
    queryKey: [list, 'facets', query],
    queryFn: ({ signal }) => bodyOf(catalog.GET(path, { params: { query: query as never }, signal })),
    placeholderData: keepPreviousData,
  });
  const isPhone = useMediaQuery('(max-width: 47.99em)');
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  const active = Object.keys(words.names).filter((name) => parameters[name] !== undefined).length;
  const shown = (data?.facets ?? []).filter(({ name, values }) => values.length > 0 || parameters[name] !== undefined);
  if (!data || shown.length === 0) return null;
  return (
    <>
      {isPhone && (
        <Button variant="default" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
          {isOpen ? words.hide : words.show(active)}
        </Button>
      )}
      <SimpleGrid
        id={id}
        role="group"
        aria-label={words.label}
        cols={{ base: 1, xs: 2, sm: 3, md: 4, xl: 7 }}
        w="100%"
        display={isPhone && !isOpen ? 'none' : undefined}
      >
        {shown.map((facet) => (
          <FacetSelect key={facet.name} facet={facet} isWhole={data.complete} />
        ))}
      </SimpleGrid>
    </>
  );
}

function FacetSelect({ facet, isWhole }: { readonly facet: Facet; readonly isWhole: boolean }): ReactNode {
  const { parameters, set } = useListState();
  const { name, values } = facet;
  const chosen = parameters[name];
  const options = values.map(({ value, label, count }) => ({
    value,
    label: words.counted(valueText(name, label), count, isWhole),
  }));
  if (chosen !== undefined && !values.some(({ value }) => value === chosen))
    options.push({ value: chosen, label: words.counted(valueText(name, chosen), 0, true) });
  return (
    <Select
      label={words.names[name]}
      placeholder={texts.list.all}
      data={options}
      value={chosen ?? null}
      searchable
      clearable
      nothingFoundMessage={texts.catalog.picker.nothing}
      onChange={(value) => {
        set({ [name]: value ?? undefined });
      }}
    />
  );
}

/** Returns the text of a value of a closed list, or the label of another value. */
function valueText(name: Facet['name'], label: string): string {
  const isClosed = ['access', 'sector', 'published'].includes(name);
  return isClosed && label in words.values ? words.values[label as keyof typeof words.values] : label;
}
