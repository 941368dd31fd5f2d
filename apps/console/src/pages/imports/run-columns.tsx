import type { Column } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { texts } from '../../texts/texts.ts';
import type { ImportRun } from './calls.ts';
import { nameOf, RunLink } from './links.tsx';
import { sizeText } from './quantities.ts';
import { StateBadge } from './state-badge.tsx';

const { fields } = texts.imports;

/** The columns of lists of imports. */
export const runColumns: readonly Column<ImportRun>[] = [
  { label: fields.kind, cell: (run) => <RunLink id={run.id}>{nameOf(run)}</RunLink> },
  { label: fields.state, cell: ({ state }) => <StateBadge state={state} /> },
  {
    label: fields.size,
    isNumber: true,
    cell: ({ result, progress }) => sizeText(result?.bytes ?? progress.bytes_total),
  },
  { label: fields.requestedBy, cell: (run) => run.requested_by },
  { label: fields.requestedAt, cell: (run) => <Moment at={run.requested_at} /> },
  { label: fields.finishedAt, cell: (run) => <Moment at={run.finished_at} /> },
];
