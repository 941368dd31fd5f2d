import { Code, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { differencesOf, type Difference } from './differences.ts';

export interface DifferencesTableProps {
  readonly before: unknown;
  readonly after: unknown;
  /** The headings of the two versions. */
  readonly names?: readonly [before: string, after: string];
  /** Returns the label of a member. By default, the label is the member's name. */
  readonly labelOf?: (member: string) => string;
}

/** A table of the differences between two versions, with a row for each difference. */
export function DifferencesTable({ before, after, names, labelOf = (name) => name }: DifferencesTableProps): ReactNode {
  const found = differencesOf(before, after);
  if (found.length === 0) return <Text c="dimmed">{texts.differences.none}</Text>;
  const [nameBefore, nameAfter] = names ?? [texts.differences.before, texts.differences.after];
  return (
    <Table.ScrollContainer minWidth={400} type="native" tabIndex={0} role="region" aria-label={texts.conflict.place}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.conflict.place}</Table.Th>
            <Table.Th>{nameBefore}</Table.Th>
            <Table.Th>{nameAfter}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {found.map(({ path, before: one, after: other }) => (
            <Table.Tr key={path.join('.')}>
              <Table.Td>{placeOf(path, labelOf)}</Table.Td>
              <Table.Td>{shown(one)}</Table.Td>
              <Table.Td>{shown(other)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Returns a label for a path, e.g. `Data declarations 1 › Title`. */
function placeOf(path: Difference['path'], labelOf: (member: string) => string): string {
  return path
    .map((step) => (typeof step === 'number' ? String(step + 1) : labelOf(step)))
    .join(' › ')
    .replace(/ › (\d+)/g, ' $1');
}

function shown(value: unknown): ReactNode {
  if (value === null || value === undefined || value === '') return <Text c="dimmed">{texts.differences.empty}</Text>;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  return typeof value === 'string' ? value : <Code block>{JSON.stringify(value, null, 2)}</Code>;
}
