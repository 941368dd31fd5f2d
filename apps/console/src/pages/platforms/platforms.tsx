import { Anchor, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Column } from '../../parts/data-table.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { useMay } from '../../session/roles.ts';
import { texts } from '../../texts/texts.ts';
import { type Platform, searchPlatforms } from './calls.ts';

const words = texts.catalog.platforms;

const columns: readonly Column<Platform>[] = [
  {
    label: words.name,
    cell: ({ id, name }) => (
      <Anchor renderRoot={(props) => <Link to="/platforms/$id" params={{ id: String(id) }} {...props} />}>
        {name}
      </Anchor>
    ),
  },
  { label: words.isPublic, cell: (platform) => (platform.public ? texts.yes : texts.no) },
  { label: words.datasets, cell: ({ datasets }) => datasets.toLocaleString('en'), isNumber: true },
];

/** The list of platforms. */
export default function Platforms(): ReactNode {
  const may = useMay();
  const add = may('administrate') && (
    <Button renderRoot={(props) => <Link to="/platforms/$id" params={{ id: 'new' }} {...props} />}>
      {words.create}
    </Button>
  );
  return (
    <ListPage
      title={words.title}
      queryKey="platforms"
      load={searchPlatforms}
      columns={columns}
      rowKey={({ id }) => id}
      searchHint={words.name}
      actions={add}
      empty={{ title: words.emptyTitle, hint: words.emptyHint, children: add }}
    />
  );
}
