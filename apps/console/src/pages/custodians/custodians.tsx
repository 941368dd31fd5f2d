import { Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Asked } from '../../parts/asked.tsx';
import type { RecordSection } from '../../records/record-page.tsx';
import { texts } from '../../texts/texts.ts';
import { getCustodians, idsOf, type KeptList, setCustodians } from './calls.ts';
import { RecordUsers } from './record-users.tsx';

const words = texts.catalog.custodians;

/** Returns the section with the custodians of a record. */
export const custodiansSection = (list: KeptList): RecordSection => ({
  name: 'custodians',
  label: texts.catalog.tabs.custodians,
  right: 'administrate',
  isClosed: true,
  panel: (id, refetch) => <CustodiansPanel list={list} id={id} onChanged={refetch} />,
});

interface CustodiansPanelProps {
  readonly list: KeptList;
  readonly id: string;
  /** Is called after every change, because the record lists its custodians as contacts. */
  readonly onChanged: () => Promise<void>;
}

/** The custodians of a record and, for a project, also its personnel. */
function CustodiansPanel({ list, id, onChanged }: CustodiansPanelProps): ReactNode {
  const queries = useQueryClient();
  const queryKey = [list, 'custodians', id];
  const query = useQuery({ queryKey, queryFn: ({ signal }) => getCustodians(list, id, signal) });
  const set = async (wanted: Parameters<typeof setCustodians>[2]): Promise<void> => {
    queries.setQueryData(queryKey, await setCustodians(list, id, wanted));
    await queries.invalidateQueries({ queryKey: [list, 'history', id] });
    await onChanged();
  };
  return (
    <Asked query={query}>
      {(found) => (
        <Stack gap="lg">
          <RecordUsers words={words.custodians} users={found.custodians} onSet={(custodians) => set({ custodians })} />
          {found.personnel && (
            <RecordUsers
              words={words.personnel}
              users={found.personnel}
              onSet={(personnel) => set({ custodians: idsOf(found.custodians), personnel })}
            />
          )}
        </Stack>
      )}
    </Asked>
  );
}
