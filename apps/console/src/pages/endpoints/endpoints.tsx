import { Anchor, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Column } from '../../parts/data-table.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { useMay } from '../../session/roles.ts';
import { texts } from '../../texts/texts.ts';
import { KeyBadge, LastUsed } from '../keys/key-facts.tsx';
import { type Endpoint, searchEndpoints } from './calls.ts';

const words = texts.people.endpoints;

const columns: readonly Column<Endpoint>[] = [
  {
    label: words.name,
    cell: ({ id, name }) => (
      <Anchor renderRoot={(props) => <Link to="/endpoints/$id" params={{ id: String(id) }} {...props} />}>
        {name}
      </Anchor>
    ),
  },
  { label: words.isPublic, cell: (endpoint) => (endpoint.public ? texts.yes : texts.no) },
  { label: words.exposed, cell: ({ active_exposures: count }) => count.toLocaleString('en'), isNumber: true },
  { label: words.key, cell: ({ keys }) => <KeyBadge of={keys.find(({ valid }) => valid) ?? keys[0] ?? null} /> },
  { label: texts.people.keys.lastUsed, cell: ({ keys }) => <LatestUse keys={keys} /> },
];

/** The list of endpoints. */
export default function Endpoints(): ReactNode {
  const may = useMay();
  const add = may('administrate') && (
    <Button renderRoot={(props) => <Link to="/endpoints/$id" params={{ id: 'new' }} {...props} />}>
      {words.create}
    </Button>
  );
  return (
    <ListPage
      title={words.title}
      queryKey="endpoints"
      load={searchEndpoints}
      columns={columns}
      rowKey={({ id }) => id}
      searchHint={words.searchHint}
      actions={add}
      empty={{ title: words.emptyTitle, hint: words.emptyHint, children: add }}
    />
  );
}

/** The latest use of any key. */
function LatestUse({ keys }: Pick<Endpoint, 'keys'>): ReactNode {
  const used = keys.flatMap(({ last_used_at: at }) => at ?? []).sort();
  const latest = keys.find(({ last_used_at: at }) => at === used.at(-1));
  return latest && <LastUsed of={latest} />;
}
