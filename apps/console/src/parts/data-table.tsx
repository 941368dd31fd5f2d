import { Table, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import type { ListState } from './list-state.ts';

/** A column of a table. */
export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** The name by which the service sorts by this column. Without a name, the column is not sortable. */
  readonly sort?: string;
  /** Whether the column contains numbers, which are aligned to the right. */
  readonly isNumber?: boolean;
}

export interface DataTableProps<Row> {
  /** The accessible name of the table. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string | number;
  /** The state that contains the order. Without a state, the table is not sortable. */
  readonly state?: ListState;
}

/** A table with sortable columns that scrolls horizontally on a narrow screen. */
export function DataTable<Row>({ label, rows, columns, rowKey, state }: DataTableProps<Row>): ReactNode {
  return (
    <Table.ScrollContainer minWidth={columns.length * 110} type="native" tabIndex={0} role="region" aria-label={label}>
      <Table striped highlightOnHover aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Head key={column.label} column={column} state={state} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map(({ label: name, cell, isNumber }) => (
                <Table.Td key={name} ta={isNumber ? 'right' : undefined}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly state: ListState | undefined;
}

function Head<Row>({ column: { label, sort, isNumber }, state }: HeadProps<Row>): ReactNode {
  const align = isNumber ? 'right' : undefined;
  if (sort === undefined || !state) return <Table.Th ta={align}>{label}</Table.Th>;
  const { sort: current } = state.parameters;
  const isUp = current === sort;
  const isDown = current === `-${sort}`;
  return (
    <Table.Th ta={align} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
      <UnstyledButton
        fw={700}
        fz="sm"
        title={texts.list.sortedBy(label)}
        onClick={() => {
          state.set({ sort: isUp ? `-${sort}` : sort });
        }}
      >
        {label} <span aria-hidden>{isUp ? '▲' : isDown ? '▼' : '↕'}</span>
      </UnstyledButton>
    </Table.Th>
  );
}
