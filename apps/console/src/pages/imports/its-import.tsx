import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';
import type { Delivery } from './calls.ts';
import { ImportOutcome } from './import-outcome.tsx';
import { RunLink } from './links.tsx';
import { isEnded, useLiveImport } from './live-import.ts';
import { ProgressView } from './progress-view.tsx';

/** The progress or the failure of an import, for the page of its dataset or submission. */
export function ItsImport({ reference }: { readonly reference: NonNullable<Delivery['import']> }): ReactNode {
  return reference.state === 'finished' ? null : <Shown id={reference.id} />;
}

function Shown({ id }: { readonly id: string }): ReactNode {
  const live = useLiveImport(id);
  const { run } = live;
  if (!run || run.state === 'finished') return null;
  return (
    <Stack>
      {!isEnded(run) && <ProgressView {...live} run={run} />}
      <ImportOutcome run={run} />
      <RunLink id={id}>{texts.imports.actions.show}</RunLink>
    </Stack>
  );
}
