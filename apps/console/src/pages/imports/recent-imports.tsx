import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Asked } from '../../parts/asked.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Section } from '../../parts/section.tsx';
import { texts } from '../../texts/texts.ts';
import { keys, searchImports } from './calls.ts';
import { runColumns } from './run-columns.tsx';

const { submissions, datasets } = texts.imports;

/** The imports of a dataset or submission, newest first. */
export function RecentImports({ subject }: { readonly subject: string }): ReactNode {
  const runs = useQuery({
    queryKey: [keys.imports, 'list', 'of', subject],
    queryFn: ({ signal }) => searchImports({ subject }, signal),
  });
  return (
    <Section title={submissions.itsImports}>
      <Asked query={runs}>
        {({ items }) =>
          items.length === 0 ? (
            <Text>{datasets.noImports}</Text>
          ) : (
            <DataTable label={submissions.itsImports} rows={items} columns={runColumns} rowKey={({ id }) => id} />
          )
        }
      </Asked>
      {runs.data?.next_cursor != null && (
        <Anchor renderRoot={(props) => <Link to="/imports/runs" search={{ q: subject }} {...props} />}>
          {datasets.allItsImports}
        </Anchor>
      )}
    </Section>
  );
}
