import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Asked } from '../../parts/asked.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { texts } from '../../texts/texts.ts';
import { AccessesOf } from '../accesses/accesses-of.tsx';
import { createUser, getUser, nameOf, removeUser, updateUser, type User } from './calls.ts';
import { UserForm } from './user-form.tsx';
import { UserGrants } from './user-grants.tsx';
import { UserKey } from './user-key.tsx';
import { UserState } from './users.tsx';

const words = texts.people.users;
const { sections } = words;

interface UserProps {
  readonly user: User;
}

/** The page of a new or existing user. */
export default function UserPage(): ReactNode {
  const { id = 'new' } = useParams({ strict: false });
  return id === 'new' ? <NewUser /> : <ExistingUser key={id} id={id} />;
}

function NewUser(): ReactNode {
  const navigate = useNavigate();
  const changed = useChanged();
  return (
    <Page title={words.create}>
      <UserForm
        onSave={async (values) => {
          const { id } = await createUser(values);
          await changed();
          await navigate({ to: '/users/$id', params: { id: String(id) }, ignoreBlocker: true });
        }}
      />
    </Page>
  );
}

function ExistingUser({ id }: { readonly id: string }): ReactNode {
  const query = useQuery({ queryKey: ['users', 'record', id], queryFn: ({ signal }) => getUser(id, signal) });
  const user = query.data;
  return (
    <Page title={user ? nameOf(user) : words.one} actions={user && <UserActions user={user} />}>
      <Asked query={query}>{(found) => <Everything user={found} />}</Asked>
    </Page>
  );
}

function Everything({ user }: UserProps): ReactNode {
  const changed = useChanged();
  return (
    <>
      <UserState user={user} />
      <Section title={sections.details}>
        <UserForm
          user={user}
          onSave={async (values) => {
            await updateUser(user.id, values);
            await changed();
          }}
        />
      </Section>
      <UserKey user={user} />
      <UserGrants user={user} />
      <AccessesOf title={sections.accesses} narrowing={{ user_id: String(user.id) }} />
    </>
  );
}

function UserActions({ user }: UserProps): ReactNode {
  const navigate = useNavigate();
  const changed = useChanged();
  const { deactivate, activate, remove } = words;
  const step = user.active ? deactivate : activate;
  const name = nameOf(user);
  return (
    <>
      <ConfirmButton
        label={step.label}
        title={step.title(name)}
        text={step.text}
        onConfirm={async () => {
          await updateUser(user.id, { active: !user.active });
          await changed();
        }}
      />
      <ConfirmButton
        color="red"
        label={remove.label}
        title={remove.title(name)}
        text={remove.text}
        onConfirm={async () => {
          await removeUser(user.id);
          notifications.show({ message: remove.done(name) });
          await navigate({ to: '/users', ignoreBlocker: true });
          await changed();
        }}
      />
    </>
  );
}

/** Returns a function that invalidates the cached users after a write. */
function useChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    notifications.show({ message: texts.form.saved });
    await queries.invalidateQueries({ queryKey: ['users'] });
  };
}
