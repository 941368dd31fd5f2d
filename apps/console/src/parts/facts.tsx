import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** What something is, a line for each member. */
export interface FactsProps {
  /** What it is about. */
  readonly label: string;
  /** Names and values; lines without a value are left out. */
  readonly lines: readonly (readonly [name: string, value: ReactNode])[];
}

/** The members of one thing, beside their names. */
export function Facts({ label, lines }: FactsProps): ReactNode {
  const shown = lines.filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '');
  return (
    <Table aria-label={label} variant="vertical" withTableBorder>
      <Table.Tbody>
        {shown.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w="40%" maw="14rem">
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
