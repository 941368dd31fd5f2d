import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { bodyOf, catalog } from '../../api/client.ts';
import type { components } from '../../api/generated/catalog-api.ts';
import { Asked } from '../../parts/asked.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { ProblemBox } from '../../parts/problem-box.tsx';
import { Section } from '../../parts/section.tsx';
import { RecordPicker } from '../../records/record-picker.tsx';
import { texts } from '../../texts/texts.ts';
import type { User } from './calls.ts';

type Grant = components['schemas']['GrantResponse'];
type Kind = Grant['resource'];

const words = texts.people.grants;
/** Large enough for all grants of a user. */
const limit = 1000;

/** The grants of a user, which permit records beyond the user's roles. */
export function UserGrants({ user }: { readonly user: User }): ReactNode {
  const query = useQuery({
    queryKey: ['grants', 'of', user.id],
    queryFn: ({ signal }) =>
      bodyOf(catalog.GET('/api/admin/grants', { params: { query: { user_id: user.id, limit } }, signal })),
  });
  return (
    <Section title={texts.people.users.sections.grants}>
      <Text size="sm" c="dimmed">
        {words.hint}
      </Text>
      <Asked query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Text>{words.empty}</Text>
          ) : (
            <DataTable
              label={texts.people.users.sections.grants}
              rows={items}
              columns={columns}
              rowKey={({ id }) => id}
            />
          )
        }
      </Asked>
      <GiveGrant user={user} />
    </Section>
  );
}

const columns: readonly Column<Grant>[] = [
  { label: words.kind, cell: ({ resource }) => words.kinds[resource] },
  {
    label: words.record,
    cell: ({ resource, record_id: id, record_name: name }) => (
      <Anchor renderRoot={(props) => <Link to={`/${resource}/$id`} params={{ id: String(id) }} {...props} />}>
        {name}
      </Anchor>
    ),
  },
  { label: words.by, cell: ({ granted_by: by }) => by },
  { label: words.at, cell: ({ created_at: at }) => <Moment at={at} /> },
  { label: words.actions, cell: (grant) => <TakeButton grant={grant} /> },
];

function TakeButton({ grant: { id, record_name: name } }: { readonly grant: Grant }): ReactNode {
  const queries = useQueryClient();
  return (
    <ConfirmButton
      size="xs"
      color="red"
      label={words.take}
      title={words.takeTitle(name)}
      text={words.takeText}
      onConfirm={async () => {
        await bodyOf(catalog.DELETE('/api/admin/grants/{id}', { params: { path: { id: String(id) } } }));
        await queries.invalidateQueries({ queryKey: ['grants'] });
      }}
    />
  );
}

function GiveGrant({ user }: { readonly user: User }): ReactNode {
  const queries = useQueryClient();
  const [kind, setKind] = useState<Kind>('datasets');
  const [record, setRecord] = useState('');
  const give = useMutation({
    mutationFn: () =>
      bodyOf(catalog.POST('/api/admin/grants', { body: { user_id: user.id, resource: kind, record_id: record } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['grants'] }),
  });
  return (
    <Stack>
      {give.isError && <ProblemBox error={give.error} />}
      <Group align="flex-end">
        <Select
          label={words.kind}
          data={kinds}
          value={kind}
          allowDeselect={false}
          onChange={(chosen) => {
            setKind(chosen as Kind);
            setRecord('');
          }}
        />
        <RecordPicker key={kind} list={kind} by="id" label={words.record} onChange={setRecord} />
        <Button
          disabled={record === ''}
          loading={give.isPending}
          onClick={() => {
            give.mutate();
          }}
        >
          {words.give}
        </Button>
      </Group>
    </Stack>
  );
}

const kinds = Object.entries(words.kinds).map(([value, label]) => ({ value, label }));
