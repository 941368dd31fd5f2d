import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { bodyOf, catalog } from '../../api/client.ts';
import type { components } from '../../api/generated/catalog-api.ts';
import { Asked } from '../../parts/asked.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { ProblemBox } from '../../parts/problem-box.tsx';
import { Section } from '../../parts/section.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.people.identity;

type State = components['schemas']['IdentitySyncResponse'];
type Run = components['schemas']['IdentitySyncRun'];
type Conflict = components['schemas']['IdentitySyncConflict'];

/** The page that synchronises users with the identity provider and shows the result. */
export default function IdentitySync(): ReactNode {
  const query = useQuery({
    queryKey: ['identity-sync'],
    queryFn: ({ signal }) => bodyOf(catalog.GET('/api/admin/identity-sync', { signal })),
  });
  const synchronise = useSynchronise();
  const isOff = query.data?.provider === 'none';
  const start = query.data && !isOff && (
    <Button
      loading={synchronise.isPending}
      onClick={() => {
        synchronise.mutate(false);
      }}
    >
      {words.start}
    </Button>
  );
  return (
    <Page title={words.title} actions={start}>
      {synchronise.isError && <ProblemBox error={synchronise.error} />}
      <Asked query={query}>
        {(state) =>
          isOff ? (
            <EmptyState title={words.off} hint={words.offHint} />
          ) : (
            <Latest state={state} onConfirm={() => synchronise.mutateAsync(true)} />
          )
        }
      </Asked>
    </Page>
  );
}

/** Returns a mutation that synchronises users. With `true`, the mutation may deactivate many users at once. */
function useSynchronise() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (isConfirmed: boolean) => {
      const query = isConfirmed ? { confirm: 'true' as const } : {};
      return bodyOf(catalog.POST('/api/idp/force', { params: { query } }));
    },
    onSuccess: async () => {
      notifications.show({ message: words.done });
      await queries.invalidateQueries({ queryKey: ['identity-sync'] });
      await queries.invalidateQueries({ queryKey: ['users'] });
    },
  });
}

interface LatestProps {
  readonly state: State;
  readonly onConfirm: () => Promise<unknown>;
}

function Latest({ state: { provider, schedule, latest }, onConfirm }: LatestProps): ReactNode {
  return (
    <Stack>
      <Facts
        label={words.provider}
        lines={[
          [words.provider, provider],
          [words.when, schedule === null ? words.onDemand : words.schedule(schedule)],
        ]}
      />
      {latest === null ? (
        <EmptyState title={words.none} hint={words.noneHint} />
      ) : (
        <>
          <Numbers run={latest} />
          <Conflicts conflicts={latest.conflicts} onConfirm={onConfirm} />
        </>
      )}
    </Stack>
  );
}

function Numbers({ run }: { readonly run: Run }): ReactNode {
  const numbers = Object.entries(words.numbers) as [keyof typeof words.numbers, string][];
  return (
    <Section title={words.latest}>
      <Facts
        label={words.latest}
        lines={[
          [words.when, <Moment key="at" at={run.finished_at} />],
          ...numbers.map(([name, label]) => [label, run[name].toLocaleString('en')] as const),
        ]}
      />
    </Section>
  );
}

interface ConflictsProps extends Pick<LatestProps, 'onConfirm'> {
  readonly conflicts: readonly Conflict[];
}

function Conflicts({ conflicts, onConfirm }: ConflictsProps): ReactNode {
  // The conflict without a subject concerns the whole run: the deactivation of many users requires a confirmation.
  const isHeldBack = conflicts.some(({ subject }) => subject === null);
  return (
    <Section
      title={words.conflicts}
      actions={isHeldBack && <ConfirmButton color="red" {...words.confirm} onConfirm={onConfirm} />}
    >
      {conflicts.length === 0 ? (
        <Text>{words.noConflicts}</Text>
      ) : (
        <DataTable
          label={words.conflicts}
          rows={conflicts}
          columns={[
            { label: words.subject, cell: ({ subject }) => subject ?? words.whole },
            { label: words.reason, cell: ({ reason }) => reason },
          ]}
          rowKey={({ subject, reason }) => `${subject ?? ''} ${reason}`}
        />
      )}
    </Section>
  );
}
