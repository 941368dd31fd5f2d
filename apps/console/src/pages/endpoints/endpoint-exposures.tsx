import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Asked } from '../../parts/asked.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/section.tsx';
import { texts } from '../../texts/texts.ts';
import { type Endpoint, type Exposure, exposuresOf } from './calls.ts';

const words = texts.people.endpoints;
const shown = 50;

const columns: readonly Column<Exposure>[] = [
  {
    label: words.dataset,
    cell: ({ dataset_id: id, dataset_name: name }) => (
      <Anchor renderRoot={(props) => <Link to="/datasets/$id" params={{ id: String(id) }} {...props} />}>{name}</Anchor>
    ),
  },
  { label: words.accession, cell: ({ dataset_external_id: accession }) => accession },
  { label: words.form, cell: ({ form_id: form }) => form, isNumber: true },
  { label: words.released, cell: ({ released_at: at }) => <Moment at={at} /> },
  { label: words.withdrawn, cell: ({ deprecated_at: at }) => <Moment at={at} /> },
];

/** The current and past exposures of datasets to an endpoint. */
export function EndpointExposures({ endpoint }: { readonly endpoint: Endpoint }): ReactNode {
  const query = useQuery({
    queryKey: ['endpoints', 'exposures', endpoint.id],
    queryFn: ({ signal }) => exposuresOf(endpoint, shown, signal),
  });
  return (
    <Section title={words.exposures}>
      <Asked query={query}>
        {({ items, total = 0 }) =>
          items.length === 0 ? (
            <Text>{words.noExposures}</Text>
          ) : (
            <>
              <DataTable label={words.exposures} rows={items} columns={columns} rowKey={({ id }) => id} />
              {total > items.length && <Text c="dimmed">{words.firstExposures(items.length, total)}</Text>}
            </>
          )
        }
      </Asked>
    </Section>
  );
}
