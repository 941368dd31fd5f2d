import { Anchor, Badge, Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Column } from '../../parts/data-table.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { optionsOf } from '../../parts/options.ts';
import { useMay } from '../../session/roles.ts';
import { texts } from '../../texts/texts.ts';
import { KeyBadge } from '../keys/key-facts.tsx';
import { nameOf, searchUsers, type User } from './calls.ts';

const words = texts.people.users;

const columns: readonly Column<User>[] = [
  {
    label: words.name,
    cell: (user) => (
      <Anchor renderRoot={(props) => <Link to="/users/$id" params={{ id: String(user.id) }} {...props} />}>
        {nameOf(user)}
      </Anchor>
    ),
  },
  { label: words.fields.email, cell: ({ email }) => email },
  { label: words.fields.roles, cell: ({ roles }) => roles.map((role) => texts.roles[role]).join(', ') },
  { label: words.source, cell: ({ subject }) => words.sources[subject === null ? 'local' : 'identity_provider'] },
  { label: words.state, cell: (user) => <UserState user={user} /> },
  { label: words.key, cell: ({ key }) => <KeyBadge of={key} /> },
];

const filters = [
  { name: 'role', label: words.fields.roles, options: optionsOf(texts.roles) },
  { name: 'source', label: words.source, options: optionsOf(words.sources) },
  { name: 'active', label: words.state, options: optionsOf({ true: words.active, false: words.inactive }) },
];

/** The list of users. */
export default function Users(): ReactNode {
  const may = useMay();
  const add = may('administrate') && (
    <Button renderRoot={(props) => <Link to="/users/$id" params={{ id: 'new' }} {...props} />}>{words.create}</Button>
  );
  return (
    <ListPage
      title={words.title}
      queryKey="users"
      load={searchUsers}
      columns={columns}
      rowKey={({ id }) => id}
      searchHint={words.searchHint}
      filters={filters}
      actions={add}
      empty={{ title: words.emptyTitle, hint: words.emptyHint, children: add }}
    />
  );
}

/** Badges for the state of a user and for a technical account. */
export function UserState({ user: { active, technical } }: { readonly user: User }): ReactNode {
  return (
    <Group gap={4}>
      <Badge variant="dot" color={active ? 'green' : 'gray'} miw="max-content" tt="none">
        {active ? words.active : words.inactive}
      </Badge>
      {technical && (
        <Badge variant="default" miw="max-content" tt="none">
          {words.technical}
        </Badge>
      )}
    </Group>
  );
}
