import { Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Session, signOut, useSessionState } from '../session/session.ts';
import { texts } from '../texts/texts.ts';

/** A menu with the user's name and roles, and a way to sign out. */
export function AccountMenu(): ReactNode {
  const state = useSessionState();
  const leave = useMutation({
    mutationFn: signOut,
    onError: ({ message }) => notifications.show({ color: 'red', title: texts.session.stillIn, message }),
  });
  if (state.status !== 'signed-in' && state.status !== 'ended') return null;
  const { user, roles } = state.status === 'ended' ? state.former : state.session;
  const name = nameOf(user);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" maw={{ base: 112, sm: 320 }} px="sm" aria-label={texts.session.account(name)}>
          <Text span inherit truncate>
            {name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{roles.map((role) => texts.roles[role]).join(', ') || texts.session.noRoles}</Menu.Label>
        <Menu.Item
          onClick={() => {
            leave.mutate();
          }}
        >
          {texts.session.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function nameOf({ first_name, last_name, email, id }: Session['user']): string {
  return `${first_name} ${last_name}`.trim() || email || String(id);
}
