import { Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from '../../parts/data-table.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { useListState } from '../../parts/list-state.ts';
import { Moment } from '../../parts/moment.tsx';
import { optionsOf } from '../../parts/options.ts';
import { texts } from '../../texts/texts.ts';
import { AuditedRecord } from './audited-record.tsx';
import { type AuditEntry, searchTrail } from './calls.ts';
import { EntryDetails } from './entry-details.tsx';

const words = texts.audit;

/** The format of Sweden is the format of `<input type="date">`: YYYY-MM-DD. */
const isoDay = new Intl.DateTimeFormat('sv-SE');

const columns: readonly Column<AuditEntry>[] = [
  { label: words.at, cell: WhenWritten },
  { label: words.actor, cell: ({ actor, actor_name: name }) => name ?? words.actors[actor] ?? actor },
  { label: words.action, cell: ({ action }) => words.actions[action] ?? action },
  { label: words.record, cell: (entry) => <AuditedRecord entry={entry} /> },
  { label: words.details, cell: (entry) => <EntryDetails entry={entry} /> },
  { label: words.address, cell: ({ address }) => address },
];

const filters = [
  { name: 'resource', label: words.kind, options: optionsOf(words.resources) },
  { name: 'action', label: words.action, options: optionsOf(words.actions) },
];

/** The audit trail, newest first, filtered by kind, action and time. */
export default function AuditTrail(): ReactNode {
  return (
    <ListPage
      title={words.title}
      queryKey="audit"
      load={searchTrail}
      columns={columns}
      rowKey={({ id }) => id}
      filters={filters}
      moreFilters={<TimeFilters />}
      empty={{ title: words.emptyTitle, hint: words.emptyHint }}
    />
  );
}

/** The time of an entry on one line. */
function WhenWritten({ at }: AuditEntry): ReactNode {
  return (
    <Text span size="sm" style={{ whiteSpace: 'nowrap' }}>
      <Moment at={at} />
    </Text>
  );
}

/** Inputs for the first and the last day. The address contains the instants of the user's time zone. */
function TimeFilters(): ReactNode {
  const { parameters, set } = useListState();
  return (
    <>
      <TextInput
        type="date"
        label={words.from}
        value={dayOf(parameters['from'])}
        onChange={({ currentTarget: { value } }) => {
          set({ from: startOf(value) });
        }}
      />
      <TextInput
        type="date"
        label={words.until}
        value={dayOf(parameters['until'], -1)}
        onChange={({ currentTarget: { value } }) => {
          set({ until: startOf(value, 1) });
        }}
      />
    </>
  );
}

/** Returns the instant at which a day starts, or the day that is `later` days later. */
function startOf(day: string, later = 0): string | undefined {
  if (!day) return undefined;
  const start = new Date(`${day}T00:00`);
  start.setDate(start.getDate() + later);
  return start.toISOString();
}

/** Returns the local day of an instant, or the day that is `later` days later, as `YYYY-MM-DD`. */
function dayOf(instant: string | undefined, later = 0): string {
  const day = new Date(instant ?? '');
  if (Number.isNaN(day.getTime())) return '';
  day.setDate(day.getDate() + later);
  return isoDay.format(day);
}
