import { NavLink, Stack, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Right, useMay } from '../session/roles.ts';
import { texts } from '../texts/texts.ts';

/** A page in the navigation. */
export interface Entry {
  readonly to: string;
  readonly label: string;
  /** The right that a user needs to see the entry. */
  readonly right?: Right;
}

const words = texts.navigation;

/** The groups of pages in the navigation. */
export const groups: readonly { readonly label?: string; readonly entries: readonly Entry[] }[] = [
  { entries: [{ to: '/', label: words.overview }] },
  {
    label: words.catalog,
    entries: [
      { to: '/projects', label: words.projects },
      { to: '/datasets', label: words.datasets },
      { to: '/contracts', label: words.contracts },
      { to: '/partners', label: words.partners },
      { to: '/cohorts', label: words.cohorts },
      { to: '/platforms', label: words.platforms, right: 'administrate' },
      { to: '/use-classes', label: words.useClasses },
    ],
  },
  {
    label: words.people,
    entries: [
      { to: '/users', label: words.users, right: 'administrate' },
      { to: '/endpoints', label: words.endpoints, right: 'administrate' },
      { to: '/accesses', label: words.accesses, right: 'administrate' },
      { to: '/entitlements', label: words.entitlements, right: 'administrate' },
      { to: '/identity-sync', label: words.identitySync, right: 'administrate' },
      { to: '/events', label: words.events, right: 'administrate' },
      { to: '/audit', label: words.audit, right: 'audit.readAll' },
    ],
  },
  {
    label: words.imports,
    entries: [
      { to: '/imports/submissions', label: words.submissions, right: 'imports.read' },
      { to: '/imports/datasets', label: words.deliveries, right: 'imports.read' },
      { to: '/imports/runs', label: words.runs, right: 'imports.read' },
      { to: '/imports/schedule', label: words.schedule, right: 'imports.read' },
    ],
  },
];

/** Links to every page that the user may see. */
export function Navigation({ onNavigate }: { readonly onNavigate: () => void }): ReactNode {
  const may = useMay();
  return (
    <Stack gap="md">
      {groups.map(({ label, entries }, index) => {
        const shown = entries.filter(({ right }) => right === undefined || may(right));
        return shown.length > 0 && <Group key={index} label={label} entries={shown} onNavigate={onNavigate} />;
      })}
    </Stack>
  );
}

interface GroupProps {
  readonly label: string | undefined;
  readonly entries: readonly Entry[];
  readonly onNavigate: () => void;
}

function Group({ label, entries, onNavigate }: GroupProps): ReactNode {
  const path = useLocation({ select: ({ pathname }) => pathname });
  return (
    <div role="group" aria-label={label}>
      {label !== undefined && (
        <Text size="xs" fw={600} tt="uppercase" c="dimmed" px="sm" pb={4} aria-hidden>
          {label}
        </Text>
      )}
      {entries.map(({ to, label: name }) => {
        const isHere = path === to || (to !== '/' && path.startsWith(`${to}/`));
        return (
          <NavLink
            key={to}
            label={name}
            variant="filled"
            active={isHere}
            aria-current={isHere ? 'page' : undefined}
            onClick={onNavigate}
            renderRoot={(props) => <Link to={to} {...props} />}
          />
        );
      })}
    </div>
  );
}
