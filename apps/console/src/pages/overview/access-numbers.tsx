import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../../parts/section.tsx';
import { useMay } from '../../session/roles.ts';
import { texts } from '../../texts/texts.ts';
import { Figure, type Target } from './figure.tsx';
import type { Counts } from './record-numbers.tsx';

const words = texts.overview;

/** The numbers of accesses, entitlements, conflicts and users. For administrators, each number links to its list. */
export function AccessNumbers({ counts }: { readonly counts: Counts }): ReactNode {
  const may = useMay();
  const { in_force, ending, waiting, suspended, refused } = counts.accesses;
  const figures: readonly (readonly [label: string, count: number, target: Target])[] = [
    [words.inForce, in_force, { to: '/accesses', search: { status: 'active' } }],
    [words.ending, ending, { to: '/accesses', search: { ending: 'true' } }],
    [words.suspended, suspended, { to: '/accesses', search: { status: 'suspended' } }],
    [words.waiting, waiting, { to: '/entitlements' }],
    [words.refused, refused, { to: '/entitlements/refused' }],
    [words.conflicts, counts.sync_conflicts, { to: '/identity-sync' }],
    [words.users, counts.users, { to: '/users', search: { active: 'true' } }],
  ];
  return (
    <Section title={words.accesses}>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }}>
        {figures.map(([label, count, target]) => (
          <Figure
            key={label}
            label={label}
            value={count.toLocaleString('en')}
            target={may('administrate') ? target : undefined}
          />
        ))}
      </SimpleGrid>
    </Section>
  );
}
