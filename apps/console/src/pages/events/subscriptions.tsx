import { Anchor, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Column } from '../../parts/data-table.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { Moment } from '../../parts/moment.tsx';
import { texts } from '../../texts/texts.ts';
import { searchSubscriptions, type Subscription } from './calls.ts';
import { stateText } from './state-text.ts';

const words = texts.events;

const columns: readonly Column<Subscription>[] = [
  {
    label: words.name,
    cell: ({ id, name }) => (
      <Anchor renderRoot={(props) => <Link to="/events/$id" params={{ id: String(id) }} {...props} />}>{name}</Anchor>
    ),
  },
  { label: words.url, cell: ({ url }) => url },
  {
    label: words.state,
    cell: (subscription) => (
      <>
        {stateText(subscription)} <Moment at={subscription.paused_at ?? subscription.failing_since} />
      </>
    ),
  },
  { label: words.waiting, cell: ({ waiting }) => waiting.toLocaleString('en'), isNumber: true },
];

/** The list of event subscriptions. */
export default function Subscriptions(): ReactNode {
  const add = (
    <Button renderRoot={(props) => <Link to="/events/$id" params={{ id: 'new' }} {...props} />}>{words.create}</Button>
  );
  return (
    <ListPage
      title={words.title}
      queryKey="events"
      load={searchSubscriptions}
      columns={columns}
      rowKey={({ id }) => id}
      actions={add}
      empty={{ title: words.emptyTitle, hint: words.emptyHint, children: add }}
    />
  );
}
