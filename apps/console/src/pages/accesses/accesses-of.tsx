import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Asked } from '../../parts/asked.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Section } from '../../parts/section.tsx';
import { useMay } from '../../session/roles.ts';
import { texts } from '../../texts/texts.ts';
import { accessColumns } from './access-columns.tsx';
import { searchAccesses } from './calls.ts';

const words = texts.people.accesses;
const shown = 10;

export interface AccessesOfProps {
  readonly title: string;
  /** The user, or the dataset by its id or accession. */
  readonly narrowing: { readonly user_id: string } | { readonly dataset: string };
}

/** The newest accesses of a user or dataset, as a section of their page. */
export function AccessesOf({ title, narrowing }: AccessesOfProps): ReactNode {
  const may = useMay();
  const query = useQuery({
    queryKey: ['accesses', 'of', narrowing],
    queryFn: ({ signal }) => searchAccesses({ ...narrowing, limit: String(shown) }, signal),
  });
  const give = may('administrate') && (
    <Button
      variant="default"
      renderRoot={(props) => <Link to="/accesses/$id" params={{ id: 'new' }} search={narrowing} {...props} />}
    >
      {words.create}
    </Button>
  );
  return (
    <Section title={title} actions={give}>
      <Asked query={query}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <Text>{words.emptyOf}</Text>
            ) : (
              <DataTable label={title} rows={items} columns={accessColumns} rowKey={({ id }) => id} />
            )}
            {next !== null && (
              <Anchor renderRoot={(props) => <Link to="/accesses" search={narrowing} {...props} />}>
                {words.showAllOf}
              </Anchor>
            )}
          </>
        )}
      </Asked>
    </Section>
  );
}
