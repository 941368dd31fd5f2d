import { Anchor } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Column } from '../../parts/data-table.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { Moment } from '../../parts/moment.tsx';
import { texts } from '../../texts/texts.ts';
import { type Access, personOf, searchAccesses, step } from '../accesses/calls.ts';
import { EntitlementsLinks } from './entitlements-links.tsx';
import { RetryButton } from './retry-button.tsx';

const words = texts.people.entitlements;
const { waitsFor } = texts.people.accesses;

const columns: readonly Column<Access>[] = [
  {
    label: words.subject,
    cell: (access) => (
      <Anchor renderRoot={(props) => <Link to="/accesses/$id" params={{ id: String(access.id) }} {...props} />}>
        {personOf(access)}
      </Anchor>
    ),
  },
  { label: words.dataset, cell: ({ dataset_name: name }) => name },
  { label: words.application, cell: ({ application }) => application, isNumber: true },
  { label: words.reason, cell: ({ waits_for: what }) => what && waitsFor[what] },
  { label: words.attempts, cell: ({ attempts }) => attempts, isNumber: true },
  { label: words.next, cell: ({ next_attempt_at: at }) => <Moment at={at} /> },
  { label: words.actions, cell: (access) => <RetryWaiting access={access} /> },
];

/** The list of entitlements that are not yet in force, with the reason for each. */
export default function WaitingEntitlements(): ReactNode {
  return (
    <ListPage
      title={words.waitingTitle}
      queryKey="waiting-entitlements"
      load={(query, signal) => searchAccesses({ ...query, status: 'precreated' }, signal)}
      columns={columns}
      rowKey={({ id }) => id}
      searchHint={texts.people.accesses.searchHint}
      actions={<EntitlementsLinks isRefused={false} />}
      empty={{ title: words.waitingEmptyTitle, hint: words.waitingEmptyHint }}
    />
  );
}

function RetryWaiting({ access }: { readonly access: Access }): ReactNode {
  const queries = useQueryClient();
  const retry = async (): Promise<string> => {
    const { in_force: isInForce } = await step(access, 'retry');
    await queries.invalidateQueries({ queryKey: ['waiting-entitlements'] });
    await queries.invalidateQueries({ queryKey: ['accesses'] });
    return isInForce ? words.active : words.stillWaiting;
  };
  return <RetryButton onRetry={retry} />;
}
