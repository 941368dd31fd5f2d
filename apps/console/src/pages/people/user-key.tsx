import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Section } from '../../parts/section.tsx';
import { texts } from '../../texts/texts.ts';
import { EndInput } from '../keys/end-input.tsx';
import { KeyDialog } from '../keys/key-dialog.tsx';
import { KeyBadge, KeyEnd, LastUsed } from '../keys/key-facts.tsx';
import { endOfDay } from '../keys/last-day.ts';
import { issueUserKey, nameOf, revokeUserKey, type User } from './calls.ts';

const words = texts.people.keys;

interface UserProps {
  readonly user: User;
}

/** The personal key of a user, with buttons that create and revoke the key. */
export function UserKey({ user }: UserProps): ReactNode {
  const { key } = user;
  return (
    <Section
      title={texts.people.users.sections.key}
      actions={
        <>
          {user.active && <IssueButton user={user} />}
          {key && <RevokeButton user={user} />}
        </>
      }
    >
      {key === null ? (
        <Text>{words.none}</Text>
      ) : (
        <Facts
          label={texts.people.users.sections.key}
          lines={[
            [words.state, <KeyBadge key="state" of={key} />],
            [words.ends, <KeyEnd key="end" of={key} />],
            [words.lastUsed, <LastUsed key="used" of={key} />],
          ]}
        />
      )}
    </Section>
  );
}

function IssueButton({ user }: UserProps): ReactNode {
  const queries = useQueryClient();
  const [day, setDay] = useState('');
  const [issued, setIssued] = useState<string>();
  const name = nameOf(user);
  return (
    <>
      <ConfirmButton
        label={user.key ? words.replace : words.make}
        title={words.makeTitle(name)}
        text={user.key ? words.replaceText : words.makeText}
        onConfirm={async () => {
          setIssued(await issueUserKey(user.id, endOfDay(day)));
          await queries.invalidateQueries({ queryKey: ['users'] });
        }}
      >
        <EndInput label={words.end} description={words.endHint} value={day} onChange={setDay} />
      </ConfirmButton>
      <KeyDialog
        holder={name}
        issued={issued}
        onClose={() => {
          setIssued(undefined);
        }}
      />
    </>
  );
}

function RevokeButton({ user }: UserProps): ReactNode {
  const queries = useQueryClient();
  return (
    <ConfirmButton
      color="red"
      label={words.revoke}
      title={words.revokeTitle(nameOf(user))}
      text={words.revokeText}
      onConfirm={async () => {
        await revokeUserKey(user.id);
        notifications.show({ message: words.revoked });
        await queries.invalidateQueries({ queryKey: ['users'] });
      }}
    />
  );
}
