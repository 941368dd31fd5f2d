import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';
import type { AuditEntry } from './calls.ts';

const words = texts.audit;

/** The pages of the records of each kind. The sessions of a user are on the page of the user. */
const pages = {
  projects: '/projects/$id',
  datasets: '/datasets/$id',
  contracts: '/contracts/$id',
  partners: '/partners/$id',
  cohorts: '/cohorts/$id',
  platforms: '/platforms/$id',
  users: '/users/$id',
  sessions: '/users/$id',
  endpoints: '/endpoints/$id',
  accesses: '/accesses/$id',
} as const;

/** The kind and the id of a written record, with a link if the record has a page. */
export function AuditedRecord({ entry: { resource, record_id: id } }: { readonly entry: AuditEntry }): ReactNode {
  const kind = words.resources[resource] ?? resource;
  const to = pages[resource as keyof typeof pages] as (typeof pages)[keyof typeof pages] | undefined;
  // The trail contains a keyed hash instead of an unknown login. Such an entry has no page.
  if (to === undefined || !/^\d+$/.test(id)) return `${kind} ${id.length > 20 ? words.unknown : id}`;
  return <Anchor renderRoot={(props) => <Link to={to} params={{ id }} {...props} />}>{`${kind} ${id}`}</Anchor>;
}
