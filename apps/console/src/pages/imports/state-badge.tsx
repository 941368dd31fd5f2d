import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';
import type { Delivery, ImportRun, Submission } from './calls.ts';

type State = Delivery['state'] | Submission['state'] | ImportRun['state'];

const { datasetStates, submissionStates, runStates } = texts.imports;
const labels: Readonly<Record<State, string>> = { ...datasetStates, ...submissionStates, ...runStates };

const colors: Readonly<Record<State, string>> = {
  not_imported: 'gray',
  importing: 'blue',
  partly_imported: 'yellow',
  imported: 'green',
  differs: 'orange',
  queued: 'gray',
  running: 'blue',
  waiting: 'yellow',
  cancelling: 'gray',
  finished: 'green',
  rejected: 'red',
  failed: 'red',
  cancelled: 'gray',
};

/** A badge with the name of a state and its colour. */
export function StateBadge({ state }: { readonly state: State }): ReactNode {
  return (
    <Badge variant="dot" color={colors[state]} miw="max-content" tt="none">
      {labels[state]}
    </Badge>
  );
}
