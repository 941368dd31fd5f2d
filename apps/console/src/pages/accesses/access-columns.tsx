import { Anchor, Badge } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Column } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { texts } from '../../texts/texts.ts';
import { type Access, personOf } from './calls.ts';

const words = texts.people.accesses;

/** The columns of lists of accesses. */
export const accessColumns: readonly Column<Access>[] = [
  {
    label: words.person,
    cell: (access) => (
      <Anchor renderRoot={(props) => <Link to="/accesses/$id" params={{ id: String(access.id) }} {...props} />}>
        {personOf(access)}
      </Anchor>
    ),
  },
  { label: words.dataset, cell: ({ dataset_name: name, dataset_external_id: id }) => (id ? `${name} (${id})` : name) },
  { label: words.state, cell: (access) => <AccessState access={access} /> },
  { label: words.ends, cell: (access) => <AccessEnd access={access} /> },
  { label: words.from, cell: originOf },
];

/** The state of an access. */
export function AccessState({ access: { status, in_force } }: { readonly access: Access }): ReactNode {
  const isPast = status === 'active' && !in_force;
  const color = in_force ? 'green' : status === 'terminated' || isPast ? 'gray' : 'yellow';
  return (
    <Badge variant="dot" color={color} miw="max-content" tt="none">
      {isPast ? words.past : words.states[status]}
    </Badge>
  );
}

/** The end of an access. */
export function AccessEnd({ access: { expires_at: end } }: { readonly access: Access }): ReactNode {
  return end === null ? words.noEnd : <Moment at={end} />;
}

/** Returns the origin of an access. */
export function originOf({ application }: Access): string {
  return application === null ? words.byHand : words.application(application);
}
