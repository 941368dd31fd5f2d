import { Code, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Asked } from '../../parts/asked.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PagerButtons } from '../../parts/pager-buttons.tsx';
import { texts } from '../../texts/texts.ts';
import { getFiles, type ImportedFile, keys } from './calls.ts';
import { sizeText } from './quantities.ts';

const { fields } = texts.imports;

export interface FilesTableProps {
  readonly label: string;
  readonly importId: string;
  /** `finished` selects stored files, `failed` selects files with errors. */
  readonly state: ImportedFile['state'];
  /** The attempt of the import. A new attempt has other files. */
  readonly attempt?: number;
  /** The text for an empty list. */
  readonly none: string;
}

/** A table of the files of an import, with pages. */
export function FilesTable({ label, importId, state, attempt, none }: FilesTableProps): ReactNode {
  const [trail, setTrail] = useState<readonly string[]>([]);
  const cursor = trail.at(-1);
  const files = useQuery({
    queryKey: [keys.imports, 'files', importId, state, attempt, cursor],
    queryFn: ({ signal }) => getFiles(importId, { state, ...(cursor !== undefined && { cursor }) }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Asked query={files}>
      {({ items, next_cursor: next }) =>
        items.length === 0 ? (
          <Text>{none}</Text>
        ) : (
          <Stack gap="xs">
            <DataTable label={label} rows={items} columns={columns[state]} rowKey={keyOf} />
            {(next !== null || trail.length > 0) && <Pager next={next} trail={trail} setTrail={setTrail} />}
          </Stack>
        )
      }
    </Asked>
  );
}

const keyOf = ({ path, code }: ImportedFile): string => `${path} ${code ?? ''}`;

interface PagerProps {
  readonly next: string | null;
  /** The cursors of the pages up to the current page. The first page has no cursor. */
  readonly trail: readonly string[];
  readonly setTrail: (trail: readonly string[]) => void;
}

function Pager({ next, trail, setTrail }: PagerProps): ReactNode {
  const goBack = (): void => {
    setTrail(trail.slice(0, -1));
  };
  const goNext =
    next === null
      ? undefined
      : (): void => {
          setTrail([...trail, next]);
        };
  return <PagerButtons onPrevious={trail.length === 0 ? undefined : goBack} onNext={goNext} />;
}

const pathColumn: Column<ImportedFile> = { label: fields.path, cell: (file) => file.path };

const columns: Readonly<Record<ImportedFile['state'], readonly Column<ImportedFile>[]>> = {
  finished: [
    pathColumn,
    { label: fields.size, isNumber: true, cell: ({ size }) => sizeText(size) },
    { label: fields.sha256, cell: ({ sha256 }) => <Code>{sha256}</Code> },
  ],
  failed: [pathColumn, { label: fields.problem, cell: ({ message }) => message }],
};
