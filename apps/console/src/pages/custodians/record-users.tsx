import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ProblemBox } from '../../parts/problem-box.tsx';
import { Section } from '../../parts/section.tsx';
import { texts } from '../../texts/texts.ts';
import { UserPicker } from '../accesses/user-picker.tsx';
import { nameOf } from '../people/calls.ts';
import { idsOf, type RecordUser } from './calls.ts';

const words = texts.catalog.custodians;

export interface RecordUsersProps {
  readonly words: { readonly title: string; readonly hint: string; readonly none: string };
  readonly users: readonly RecordUser[];
  /** Replaces the record's users. @throws Problem if the service refuses */
  readonly onSet: (ids: number[]) => Promise<unknown>;
}

/** A list of a record's users, with buttons that add and remove users. */
export function RecordUsers({ words: { title, hint, none }, users, onSet }: RecordUsersProps): ReactNode {
  const ids = idsOf(users);
  return (
    <Section title={title}>
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
      {users.length === 0 ? (
        <Text>{none}</Text>
      ) : (
        <DataTable
          label={title}
          rows={users}
          columns={columnsFor((gone) => onSet(ids.filter((id) => id !== gone)))}
          rowKey={({ id }) => id}
        />
      )}
      <AddUser key={ids.join()} title={title} onAdd={(id) => onSet([...new Set([...ids, id])])} />
    </Section>
  );
}

function columnsFor(onTake: (id: number) => Promise<unknown>): Column<RecordUser>[] {
  return [
    {
      label: words.name,
      cell: (user) => (
        <Anchor renderRoot={(props) => <Link to="/users/$id" params={{ id: String(user.id) }} {...props} />}>
          {nameOf(user)}
        </Anchor>
      ),
    },
    { label: words.email, cell: ({ email }) => email },
    { label: words.investigator, cell: (user) => (user.principal_investigator ? texts.yes : texts.no) },
    {
      label: words.actions,
      cell: (user) => (
        <ConfirmButton
          size="xs"
          color="red"
          label={words.take}
          title={words.takeTitle(nameOf(user))}
          text={words.takeText}
          onConfirm={() => onTake(user.id)}
        />
      ),
    },
  ];
}

interface AddUserProps {
  readonly title: string;
  readonly onAdd: (id: number) => Promise<unknown>;
}

function AddUser({ title, onAdd }: AddUserProps): ReactNode {
  const [chosen, setChosen] = useState('');
  const add = useMutation({ mutationFn: () => onAdd(Number(chosen)) });
  return (
    <Stack role="group" aria-label={title}>
      {add.isError && <ProblemBox error={add.error} />}
      <Group align="flex-end">
        <UserPicker label={words.person} onChange={setChosen} />
        <Button
          disabled={chosen === ''}
          loading={add.isPending}
          onClick={() => {
            add.mutate();
          }}
        >
          {words.add}
        </Button>
      </Group>
    </Stack>
  );
}
