import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { SessionGate } from '../session/session-gate.tsx';
import { texts } from '../texts/texts.ts';
import { consolePath } from '../place.ts';
import { setPasswordPath } from '../session/set-password-token.ts';
import { AccountMenu } from './account-menu.tsx';
import { ColorSchemeButton } from './color-scheme-button.tsx';
import { Navigation } from './navigation.tsx';
import { SearchButton } from './search/search-button.tsx';
import classes from './shell.module.css';

const contentId = 'content';

/** The frame of every page except the page of a one-time link, whose visitor is not signed in. */
export function Shell(): ReactNode {
  const path = useLocation({ select: ({ pathname }) => pathname });
  if ([setPasswordPath, consolePath + setPasswordPath].includes(path)) {
    return (
      <Suspense>
        <Outlet />
      </Suspense>
    );
  }
  return (
    <SessionGate>
      <Frame />
    </SessionGate>
  );
}

function Frame(): ReactNode {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const path = useLocation({ select: ({ pathname }) => pathname });
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className={classes['skip']} href={`#${contentId}`} onClick={skipToContent}>
        {texts.skipToContent}
      </a>
      <Header isOpen={isOpen} toggle={toggle} />
      <AppShell.Navbar
        p="sm"
        aria-label={texts.navigation.label}
        className={classes['navbar']}
        mod={{ closed: !isOpen }}
      >
        <Navigation onNavigate={close} />
      </AppShell.Navbar>
      <AppShell.Main id={contentId} tabIndex={-1}>
        <Suspense key={path}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
    </AppShell>
  );
}

function Header({ isOpen, toggle }: { readonly isOpen: boolean; readonly toggle: () => void }): ReactNode {
  return (
    <AppShell.Header>
      <Group h="100%" px="md" justify="space-between" wrap="nowrap">
        <Group gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={texts.navigation.open}
            aria-expanded={isOpen}
          />
          <Text fw={700} truncate>
            {texts.title}
          </Text>
        </Group>
        <Group gap="xs" wrap="nowrap">
          <SearchButton />
          <ColorSchemeButton />
          <AccountMenu />
        </Group>
      </Group>
    </AppShell.Header>
  );
}

/** Moves the focus to the content. The browser would resolve the link against `<base>` and load another page. */
function skipToContent(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById(contentId)?.focus();
}
