import { Group, Loader } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { ProblemBox } from '../../parts/problem-box.tsx';
import { Section } from '../../parts/section.tsx';
import { texts } from '../../texts/texts.ts';
import type { ImportRun } from './calls.ts';
import { FilesTable } from './files-table.tsx';
import { ImportOutcome } from './import-outcome.tsx';
import { nameOf, SubjectLink } from './links.tsx';
import { isEnded, useLiveImport } from './live-import.ts';
import { ProgressView } from './progress-view.tsx';
import { countText, sizeText } from './quantities.ts';
import { RunButtons } from './run-buttons.tsx';
import { StateBadge } from './state-badge.tsx';

const { fields, kinds, runs, datasets } = texts.imports;

/** The page of an import: its progress and its outcome. */
export default function Run(): ReactNode {
  const { id = '' } = useParams({ strict: false });
  const live = useLiveImport(id);
  const { run } = live;
  if (run) return <KnownRun key={id} {...live} run={run} />;
  return (
    <Page title={texts.navigation.runs}>
      {live.error ? <ProblemBox error={live.error} /> : <Loader role="status" aria-label={texts.loading} />}
    </Page>
  );
}

function KnownRun(live: ReturnType<typeof useLiveImport> & { readonly run: ImportRun }): ReactNode {
  const { run } = live;
  const hasFiles = run.state === 'finished' && (run.kind === 'dataset' || run.kind === 'submission');
  return (
    <Page title={nameOf(run)} actions={<RunButtons run={run} />}>
      <Group role="status">
        <StateBadge state={run.state} />
      </Group>
      {!isEnded(run) && <ProgressView {...live} />}
      <ImportOutcome run={run} />
      <Facts label={nameOf(run)} lines={linesOf(run)} />
      {hasFiles && (
        <Section title={runs.itsFiles}>
          <FilesTable label={runs.itsFiles} importId={run.id} state="finished" none={datasets.manifestNone} />
        </Section>
      )}
    </Page>
  );
}

function linesOf(run: ImportRun): readonly (readonly [string, ReactNode])[] {
  const { result, progress } = run;
  return [
    [fields.kind, kinds[run.kind]],
    [fields.subject, <SubjectLink key="subject" run={run} />],
    [fields.requestedBy, run.requested_by],
    [fields.requestedAt, <Moment key="requested" at={run.requested_at} />],
    [fields.reason, run.reason],
    [fields.startedAt, run.started_at !== null && <Moment at={run.started_at} />],
    [fields.finishedAt, run.finished_at !== null && <Moment at={run.finished_at} />],
    [fields.attempt, run.attempt],
    [fields.files, countText(result?.files ?? progress.files_total)],
    [fields.size, sizeText(result?.bytes ?? progress.bytes_total)],
    [fields.place, result?.path],
    [fields.manifest, result?.manifest_sha256],
  ];
}
