import type { ReactNode } from 'react';
import type { Column } from '../../parts/data-table.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { optionsOf } from '../../parts/options.ts';
import { Moment } from '../../parts/moment.tsx';
import { texts } from '../../texts/texts.ts';
import { type Delivery, keys, searchDeliveries } from './calls.ts';
import { SubmissionFilter } from './filters.tsx';
import { ImportAllButton } from './import-buttons.tsx';
import { DeliveryLink, SubmissionLink } from './links.tsx';
import { ProblemCodes } from './problem-codes.tsx';
import { countText, sizeText } from './quantities.ts';
import { StateBadge } from './state-badge.tsx';

const { fields, datasets, heldIn, datasetStates, searchHint } = texts.imports;

/** The list of the datasets of the source, with their states in storage. */
export default function Deliveries(): ReactNode {
  return (
    <ListPage
      title={datasets.title}
      queryKey={keys.deliveries}
      load={searchDeliveries}
      columns={columns}
      rowKey={({ id, submission }) => `${submission}/${id}`}
      searchHint={searchHint}
      filters={[{ name: 'state', label: fields.state, options: optionsOf(datasetStates) }]}
      moreFilters={<SubmissionFilter />}
      actions={<ImportAllButton />}
      empty={{ title: datasets.emptyTitle, hint: datasets.emptyHint }}
    />
  );
}

const columns: readonly Column<Delivery>[] = [
  {
    label: fields.dataset,
    cell: ({ id, title }) => <DeliveryLink id={id}>{title ? `${id} · ${title}` : id}</DeliveryLink>,
  },
  { label: fields.submission, cell: ({ submission }) => <SubmissionLink id={submission} /> },
  { label: fields.state, cell: ({ state }) => <StateBadge state={state} /> },
  { label: fields.heldIn, cell: ({ held_in: held }) => held && heldIn[held] },
  { label: fields.problems, cell: (row) => <ProblemCodes {...row} /> },
  { label: fields.files, isNumber: true, cell: ({ files }) => countText(files) },
  { label: fields.size, isNumber: true, cell: ({ bytes }) => sizeText(bytes) },
  { label: fields.importedAt, cell: (row) => <Moment at={row.imported_at} /> },
];
