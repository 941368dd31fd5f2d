import { Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { bodyOf, catalog } from '../../api/client.ts';
import type { components } from '../../api/generated/catalog-api.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { Moment } from '../../parts/moment.tsx';
import { texts } from '../../texts/texts.ts';
import { EntitlementsLinks } from './entitlements-links.tsx';
import { RetryButton } from './retry-button.tsx';

const words = texts.people.entitlements;

type Refused = components['schemas']['RefusedEntitlementResponse'];
type Outcome = components['schemas']['RetriedEntitlement'];

const columns: readonly Column<Refused>[] = [
  { label: words.subject, cell: ({ subject }) => subject },
  { label: words.dataset, cell: ({ resource }) => resource },
  { label: words.application, cell: ({ application }) => application, isNumber: true },
  { label: words.reason, cell: reasonOf },
  { label: words.posts, cell: ({ posts }) => posts, isNumber: true },
  { label: words.last, cell: ({ updated_at: at }) => <Moment at={at} /> },
  { label: words.actions, cell: (refused) => <RefusedButtons refused={refused} /> },
];

const reasons = Object.entries(words.reasons).map(([value, label]) => ({ value, label }));

/** The list of entitlements of the access-request system that the catalog refused. */
export default function RefusedEntitlements(): ReactNode {
  return (
    <ListPage
      title={words.refusedTitle}
      queryKey="refused-entitlements"
      load={(query, signal) =>
        bodyOf(catalog.GET('/api/admin/refused-entitlements', { params: { query: query as never }, signal }))
      }
      columns={columns}
      rowKey={({ id }) => id}
      filters={[{ name: 'reason', label: words.reason, options: reasons }]}
      actions={<EntitlementsLinks isRefused />}
      empty={{ title: words.refusedEmptyTitle, hint: words.refusedEmptyHint }}
    />
  );
}

function reasonOf({ reason, resource_known: isThere }: Refused): string {
  const isMended = reason === 'unknown_resource' && isThere;
  return isMended ? `${words.reasons[reason]}; ${words.datasetIsThere}` : words.reasons[reason];
}

function RefusedButtons({ refused: { id } }: { readonly refused: Refused }): ReactNode {
  const queries = useQueryClient();
  const params = { path: { id: String(id) } };
  const changed = () => queries.invalidateQueries({ queryKey: ['refused-entitlements'] });
  return (
    <Group gap={4} wrap="nowrap">
      <RetryButton
        onRetry={async () => {
          const retried = await bodyOf(catalog.POST('/api/admin/refused-entitlements/{id}/retry', { params }));
          await changed();
          await queries.invalidateQueries({ queryKey: ['accesses'] });
          return outcomeOf(retried);
        }}
      />
      <ConfirmButton
        size="xs"
        label={words.dismiss}
        title={words.dismissTitle}
        text={words.dismissText}
        onConfirm={async () => {
          await bodyOf(catalog.DELETE('/api/admin/refused-entitlements/{id}', { params }));
          await changed();
        }}
      />
    </Group>
  );
}

function outcomeOf({ outcome, done }: Outcome): string {
  const told = (words.outcomes as Readonly<Record<string, string>>)[outcome];
  return done || told === undefined ? words.done : words.refusedAgain(told);
}
