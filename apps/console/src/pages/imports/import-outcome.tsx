import { Alert, Code, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../../parts/section.tsx';
import { texts } from '../../texts/texts.ts';
import type { ImportRun } from './calls.ts';
import { FilesTable } from './files-table.tsx';

const { runs } = texts.imports;

/** The reason why an import waits or has failed, with the affected files, or the success of a verification. */
export function ImportOutcome({ run }: { readonly run: ImportRun }): ReactNode {
  const { state, kind, error } = run;
  if (state === 'finished' && kind === 'verify') {
    return (
      <Alert color="green" role="status">
        {runs.verified}
      </Alert>
    );
  }
  if (!error) return null;
  const isOver = state === 'rejected' || state === 'failed' || state === 'cancelled';
  return (
    <Stack>
      <Alert color={isOver ? 'red' : 'yellow'} role="alert" title={isOver ? runs.errors[state] : runs.errors.other}>
        <Text size="sm">{error.message}</Text>
        {error.file !== null && (
          <Text size="sm">
            {runs.errorFile}: <Code>{error.file}</Code>
          </Text>
        )}
        {state === 'rejected' && <Text size="sm">{runs.afterRejection}</Text>}
      </Alert>
      {isOver && (
        <Section title={runs.problemFiles}>
          <FilesTable
            label={runs.problemFiles}
            importId={run.id}
            state="failed"
            attempt={run.attempt}
            none={runs.noProblemFiles}
          />
        </Section>
      )}
    </Stack>
  );
}
