import { Loader, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { bodyOf, catalog } from '../api/client.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Moment } from '../parts/moment.tsx';
import { ProblemBox } from '../parts/problem-box.tsx';
import { useMay } from '../session/roles.ts';
import { texts } from '../texts/texts.ts';
import { ExposeForm } from './expose-form.tsx';

const words = texts.catalog.exposures;
const longestReason = 10_000;

/** The current and past exposures of a dataset. A curator can also expose and withdraw the dataset. */
export function Exposures({ dataset }: { readonly dataset: string }): ReactNode {
  const isCurator = useMay()('catalog.write');
  const exposures = useQuery({
    queryKey: ['exposures', 'list', dataset],
    queryFn: ({ signal }) =>
      bodyOf(catalog.GET('/api/datasets/{dataset}/exposures', { params: { path: { dataset } }, signal })),
  });
  const rows = exposures.data?.results ?? [];
  return (
    <Stack>
      <Title order={2} size="h4">
        {words.heading}
      </Title>
      {exposures.isError && <ProblemBox error={exposures.error} onRetry={() => void exposures.refetch()} />}
      {exposures.isPending && <Loader role="status" aria-label={texts.loading} />}
      {exposures.isSuccess && rows.length === 0 && <Text c="dimmed">{words.none}</Text>}
      {rows.length > 0 && (
        <DataTable
          label={words.heading}
          rows={rows}
          columns={isCurator ? [...columns, actionsFor(dataset)] : columns}
          rowKey={({ id }) => id}
        />
      )}
      {isCurator && <ExposeForm dataset={dataset} />}
    </Stack>
  );
}

/** A dataset's visibility at one endpoint. */
interface Exposure {
  readonly id: number;
  readonly endpoint: string;
  readonly form_id: number;
  readonly form_name: string | null;
  readonly released_date: string;
  readonly deprecated: boolean;
  readonly deprecation_notes: string | null;
}

const columns: readonly Column<Exposure>[] = [
  { label: words.endpoint, cell: ({ endpoint }) => endpoint },
  { label: words.form, cell: ({ form_id, form_name }) => [form_id, form_name].filter(Boolean).join(': ') },
  { label: words.released, cell: ({ released_date: at }) => <Moment at={at} /> },
  {
    label: words.state,
    cell: ({ deprecated, deprecation_notes: notes }) => (deprecated ? words.withdrawn(notes ?? '') : words.active),
  },
];

const actionsFor = (dataset: string): Column<Exposure> => ({
  label: words.actions,
  cell: (exposure) => !exposure.deprecated && <DeprecateButton dataset={dataset} exposure={exposure} />,
});

interface DeprecateButtonProps {
  readonly dataset: string;
  readonly exposure: Exposure;
}

function DeprecateButton({ dataset, exposure: { id, endpoint } }: DeprecateButtonProps): ReactNode {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const path = { dataset, id: String(id) };
  const deprecate = async (): Promise<void> => {
    await bodyOf(
      catalog.POST('/api/datasets/{dataset}/exposures/{id}/deprecate', { params: { path }, body: { reason } }),
    );
    await queries.invalidateQueries({ predicate: ({ queryKey: [, what] }) => what !== 'record' });
  };
  return (
    <ConfirmButton
      size="xs"
      label={words.deprecate}
      title={words.deprecateTitle(endpoint)}
      text={words.deprecateText}
      isReady={reason.trim() !== ''}
      onConfirm={deprecate}
    >
      <Textarea
        label={words.reason}
        required
        autosize
        maxLength={longestReason}
        value={reason}
        onChange={(event) => {
          setReason(event.currentTarget.value);
        }}
      />
    </ConfirmButton>
  );
}
