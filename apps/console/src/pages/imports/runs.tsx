import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ListPage } from '../../parts/list-page.tsx';
import { optionsOf } from '../../parts/options.ts';
import { texts } from '../../texts/texts.ts';
import { keys, searchImports } from './calls.ts';
import { runColumns } from './run-columns.tsx';

const { fields, runs, kinds, runStates } = texts.imports;

/** The list of imports, newest first. */
export default function Runs(): ReactNode {
  return (
    <ListPage
      title={runs.title}
      queryKey={keys.imports}
      load={({ q: subject, ...query }, signal) => searchImports({ ...query, subject }, signal)}
      columns={runColumns}
      rowKey={({ id }) => id}
      searchHint={runs.searchHint}
      filters={[
        { name: 'state', label: fields.state, options: optionsOf(runStates) },
        { name: 'kind', label: fields.kind, options: optionsOf(kinds) },
      ]}
      empty={{
        title: runs.emptyTitle,
        hint: runs.emptyHint,
        children: (
          <Button variant="default" renderRoot={(props) => <Link to="/imports/datasets" {...props} />}>
            {runs.toDatasets}
          </Button>
        ),
      }}
    />
  );
}
