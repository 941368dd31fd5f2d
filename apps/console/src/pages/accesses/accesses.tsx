import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ListPage } from '../../parts/list-page.tsx';
import { useListState } from '../../parts/list-state.ts';
import { useMay } from '../../session/roles.ts';
import { texts } from '../../texts/texts.ts';
import { accessColumns } from './access-columns.tsx';
import { searchAccesses } from './calls.ts';

const words = texts.people.accesses;

const filters = [
  {
    name: 'status',
    label: words.state,
    options: Object.entries(words.states).map(([value, label]) => ({ value, label })),
  },
  { name: 'ending', label: words.ending, options: [{ value: 'true', label: words.endingOption }] },
];

/** The list of accesses, limited to the user or dataset in the address. */
export default function Accesses(): ReactNode {
  const may = useMay();
  const { parameters, clear } = useListState();
  const isOfOne = parameters['user_id'] !== undefined || parameters['dataset'] !== undefined;
  const give = may('administrate') && (
    <Button renderRoot={(props) => <Link to="/accesses/$id" params={{ id: 'new' }} search={parameters} {...props} />}>
      {words.create}
    </Button>
  );
  return (
    <ListPage
      title={words.title}
      queryKey="accesses"
      load={searchAccesses}
      columns={accessColumns}
      rowKey={({ id }) => id}
      searchHint={words.searchHint}
      filters={filters}
      actions={
        <>
          {isOfOne && (
            <Button variant="default" onClick={clear}>
              {words.all}
            </Button>
          )}
          {give}
        </>
      }
      empty={{ title: words.emptyTitle, hint: words.emptyHint, children: give }}
    />
  );
}
