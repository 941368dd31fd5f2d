import { Alert, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Facts } from '../../parts/facts.tsx';
import { texts } from '../../texts/texts.ts';
import type { ImportRun } from './calls.ts';
import type { LiveImport } from './live-import.ts';
import { countText, sizeText, spanText } from './quantities.ts';

const { fields, phases, runs } = texts.imports;

/** The progress of a running import. */
export function ProgressView({ run, isInterrupted }: LiveImport & { readonly run: ImportRun }): ReactNode {
  const { phase, bytes_done: done, bytes_total: total } = run.progress;
  return (
    <Stack gap="xs">
      <Text role="status">{phases[phase]}</Text>
      <Progress.Root size="xl">
        <Progress.Section value={percentOf(done, total)} aria-label={runs.progress} animated />
      </Progress.Root>
      {isInterrupted ? (
        <Alert color="yellow" role="status">
          {runs.interrupted}
        </Alert>
      ) : (
        <Text size="sm" c="dimmed">
          {runs.live}
        </Text>
      )}
      <Facts label={runs.progress} lines={linesOf(run)} />
    </Stack>
  );
}

function linesOf({ progress }: ImportRun): readonly (readonly [string, ReactNode])[] {
  const { of, perSecond } = texts.imports;
  const { bytes_done, bytes_total, bytes_resumed, bytes_per_second, files_done, files_total } = progress;
  return [
    [fields.bytes, of(sizeText(bytes_done), sizeText(bytes_total))],
    [fields.resumed, bytes_resumed > 0 && sizeText(bytes_resumed)],
    [fields.files, of(countText(files_done), countText(files_total))],
    [fields.rate, bytes_per_second !== null && perSecond(sizeText(bytes_per_second))],
    [fields.left, spanText(progress.seconds_left)],
    [fields.current, progress.current.join(', ')],
  ];
}

function percentOf(done: number, total: number | null): number {
  return total ? Math.min(100, Math.floor((100 * done) / total)) : 0;
}
