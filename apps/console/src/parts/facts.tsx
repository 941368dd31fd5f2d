import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

export interface FactsProps {
  /** The accessible name of the list. */
  readonly label: string;
  /** Names and values. Lines without a value are omitted. */
  readonly lines: readonly (readonly [name: string, value: ReactNode])[];
}

/** A list of names and values. */
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
