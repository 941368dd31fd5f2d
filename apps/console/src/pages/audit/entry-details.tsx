import { Button, Collapse, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { DifferencesTable } from '../../parts/differences-table.tsx';
import { labelOf } from '../../records/labels.ts';
import { texts } from '../../texts/texts.ts';
import type { AuditEntry } from './calls.ts';

/** The plain members of an entry, or a button that shows the difference between the two states of the record. */
export function EntryDetails({ entry: { before, after } }: { readonly entry: AuditEntry }): ReactNode {
  const [isOpen, { toggle }] = useDisclosure();
  if (before === null || after === null) return <Text size="sm">{plainMembersOf(after ?? before ?? {})}</Text>;
  return (
    <>
      <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={toggle}>
        {texts.audit.differences}
      </Button>
      <Collapse expanded={isOpen}>
        <DifferencesTable before={before} after={after} labelOf={labelOf} />
      </Collapse>
    </>
  );
}

/** Returns the members that have a short value, as `name: value`. */
function plainMembersOf(state: object): string {
  return Object.entries(state)
    .filter(([name, value]) => name !== 'id' && ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${labelOf(name)}: ${String(value)}`)
    .slice(0, 4)
    .join(', ');
}
