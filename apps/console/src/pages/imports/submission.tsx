import { Anchor, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Asked } from '../../parts/asked.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { texts } from '../../texts/texts.ts';
import { getSubmission, keys, type Submission as SubmissionAnswer } from './calls.ts';
import { ImportSubmissionButton } from './import-buttons.tsx';
import { ItsImport } from './its-import.tsx';
import { ProblemCodes } from './problem-codes.tsx';
import { RecentImports } from './recent-imports.tsx';
import { countText, sizeText } from './quantities.ts';
import { StateBadge } from './state-badge.tsx';

const { fields, submissions, of } = texts.imports;

/** The page of a submission: its delivery and its state in storage. */
export default function Submission(): ReactNode {
  const { id = '' } = useParams({ strict: false });
  const answer = useQuery({
    queryKey: [keys.submissions, 'record', id],
    queryFn: ({ signal }) => getSubmission(id, signal),
  });
  const { data: submission } = answer;
  const isComplete = submission?.state === 'imported' || submission?.state === 'importing';
  return (
    <Page title={id} actions={submission && !isComplete && <ImportSubmissionButton submission={submission} />}>
      <Asked query={answer}>{(shown) => <Known submission={shown} />}</Asked>
    </Page>
  );
}

function Known({ submission }: { readonly submission: SubmissionAnswer }): ReactNode {
  const { reference, state, import: latest } = submission;
  return (
    <>
      <Group>
        <StateBadge state={state} />
        <Anchor renderRoot={(props) => <Link to="/imports/datasets" search={{ submission: reference }} {...props} />}>
          {submissions.itsDatasets}
        </Anchor>
      </Group>
      {latest && <ItsImport key={latest.id} reference={latest} />}
      <Facts label={reference} lines={linesOf(submission)} />
      <RecentImports subject={reference} />
    </>
  );
}

function linesOf(submission: SubmissionAnswer): readonly (readonly [string, ReactNode])[] {
  const { datasets, missing_datasets: missing } = submission;
  return [
    [fields.title, submission.title],
    [fields.description, submission.description],
    [fields.submitter, submission.submitter],
    [fields.submittedAt, submission.submitted_at],
    [fields.modifiedAt, submission.modified_at !== null && <Moment at={submission.modified_at} />],
    [fields.ready, submission.ready ? texts.yes : texts.no],
    [fields.problems, submission.problems.length > 0 && <ProblemCodes {...submission} />],
    [fields.datasets, of(countText(datasets.imported), countText(datasets.total))],
    [fields.missingDatasets, missing.join(', ')],
    [fields.files, countText(submission.files)],
    [fields.size, sizeText(submission.bytes)],
    [fields.importedAt, submission.imported_at !== null && <Moment at={submission.imported_at} />],
    [fields.place, submission.collection],
  ];
}
