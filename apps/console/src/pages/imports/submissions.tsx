import type { ReactNode } from 'react';
import type { Column } from '../../parts/data-table.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { optionsOf } from '../../parts/options.ts';
import { Moment } from '../../parts/moment.tsx';
import { texts } from '../../texts/texts.ts';
import { keys, searchSubmissions, type Submission } from './calls.ts';
import { ImportAllButton } from './import-buttons.tsx';
import { SubmissionLink } from './links.tsx';
import { ProblemCodes } from './problem-codes.tsx';
import { countText, sizeText } from './quantities.ts';
import { StateBadge } from './state-badge.tsx';

const { fields, submissions, submissionStates, searchHint, of } = texts.imports;

/** The list of the submissions of the source, with their states in storage. */
export default function Submissions(): ReactNode {
  return (
    <ListPage
      title={submissions.title}
      queryKey={keys.submissions}
      load={searchSubmissions}
      columns={columns}
      rowKey={({ reference }) => reference}
      searchHint={searchHint}
      filters={[{ name: 'state', label: fields.state, options: optionsOf(submissionStates) }]}
      actions={<ImportAllButton />}
      empty={{ title: submissions.emptyTitle, hint: submissions.emptyHint }}
    />
  );
}

const columns: readonly Column<Submission>[] = [
  {
    label: fields.submission,
    cell: ({ reference, title }) => (
      <SubmissionLink id={reference}>{title ? `${reference} · ${title}` : reference}</SubmissionLink>
    ),
  },
  { label: fields.state, cell: ({ state }) => <StateBadge state={state} /> },
  {
    label: fields.datasets,
    isNumber: true,
    cell: ({ datasets: { imported, total } }) => of(countText(imported), countText(total)),
  },
  { label: fields.problems, cell: (row) => <ProblemCodes {...row} /> },
  { label: fields.size, isNumber: true, cell: ({ bytes }) => sizeText(bytes) },
  { label: fields.submitter, cell: ({ submitter }) => submitter },
  { label: fields.importedAt, cell: (row) => <Moment at={row.imported_at} /> },
];
