import { Group, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { bodyOf, catalog } from '../../api/client.ts';
import type { components } from '../../api/generated/catalog-api.ts';
import { Asked } from '../../parts/asked.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Page } from '../../parts/page.tsx';
import { useClassesQuery } from '../../records/use-classes.ts';
import { useMay } from '../../session/roles.ts';
import { texts } from '../../texts/texts.ts';

type UseClass = components['schemas']['UseClassResponse'];

const words = texts.catalog.useClasses;
const longestLabel = 10_000;

const columns: readonly Column<UseClass>[] = [
  { label: words.code, cell: ({ code }) => code },
  { label: words.label, cell: ({ label }) => label },
  { label: words.defaultLabel, cell: ({ default_label: label }) => label },
  { label: words.datasets, cell: ({ datasets }) => datasets.toLocaleString('en'), isNumber: true },
];

/** The consent codes with their labels, which administrators change. */
export default function UseClasses(): ReactNode {
  const query = useQuery(useClassesQuery);
  const mayChange = useMay()('administrate');
  return (
    <Page title={words.title}>
      <Text maw="50rem">{words.hint}</Text>
      {!mayChange && <Text c="dimmed">{words.readOnly}</Text>}
      <Asked query={query}>
        {(rows) => (
          <DataTable
            label={words.title}
            rows={rows}
            columns={mayChange ? [...columns, actions] : columns}
            rowKey={({ code }) => code}
          />
        )}
      </Asked>
    </Page>
  );
}

const actions: Column<UseClass> = {
  label: words.actions,
  cell: (row) => (
    <Group gap="xs">
      <ChangeButton key={row.label} of={row} />
      {row.label !== row.default_label && <RestoreButton of={row} />}
    </Group>
  ),
};

function ChangeButton({ of: { code, label, datasets } }: { readonly of: UseClass }): ReactNode {
  const [typed, setTyped] = useState(label);
  const set = useSetLabel(code);
  return (
    <ConfirmButton
      size="xs"
      label={words.change}
      title={words.changeTitle(code)}
      text={words.changeText(datasets)}
      isReady={typed.trim() !== '' && typed !== label}
      onConfirm={() => set(typed.trim())}
    >
      <TextInput
        label={words.label}
        description={words.labelHint}
        required
        maxLength={longestLabel}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
        }}
      />
    </ConfirmButton>
  );
}

function RestoreButton({ of: { code, default_label: label } }: { readonly of: UseClass }): ReactNode {
  const set = useSetLabel(code);
  return (
    <ConfirmButton
      size="xs"
      label={words.restore}
      title={words.restoreTitle(code)}
      text={words.restoreText(label)}
      onConfirm={() => set(null)}
    />
  );
}

/** Returns a function that sets the label of a code. null restores the default label. */
function useSetLabel(code: string): (label: string | null) => Promise<void> {
  const queries = useQueryClient();
  return async (label) => {
    await bodyOf(catalog.PATCH('/api/admin/use-classes/{code}', { params: { path: { code } }, body: { label } }));
    // Datasets contain labels, therefore their cached copies are outdated too.
    await queries.invalidateQueries();
  };
}
