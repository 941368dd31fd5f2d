import { Button, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { bodyOf, catalog } from '../api/client.ts';
import type { components } from '../api/generated/catalog-api.ts';
import { DifferencesTable } from '../parts/differences-table.tsx';
import { Moment } from '../parts/moment.tsx';
import { ProblemBox } from '../parts/problem-box.tsx';
import { texts } from '../texts/texts.ts';
import { labelOf } from './labels.ts';

type Entry = components['schemas']['AuditEntryResponse'];

const words = texts.catalog.history;
const { actions, actors } = texts.audit;
const entriesAtOnce = '20';

export interface HistoryProps {
  /** The plural name of the record's kind, as in the audit trail. */
  readonly resource: string;
  /** The record's id, as `id_at_source`. */
  readonly id: string;
}

/** The changes of a record, newest first, each with its time, its author and the differences. */
export function History({ resource, id }: HistoryProps): ReactNode {
  const trail = useInfiniteQuery({
    queryKey: [resource, 'history', id],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { resource, record_id: id, limit: entriesAtOnce as never, ...(cursor && { cursor }) };
      return bodyOf(catalog.GET('/api/admin/audit', { params: { query }, signal }));
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
  const entries = trail.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Stack pt="md">
      {trail.isError && <ProblemBox error={trail.error} onRetry={() => void trail.refetch()} />}
      {trail.isPending && <Loader role="status" aria-label={texts.loading} />}
      {trail.isSuccess && entries.length === 0 && <Text c="dimmed">{words.none}</Text>}
      {entries.map((entry) => (
        <HistoryEntry key={entry.id} entry={entry} />
      ))}
      {trail.hasNextPage && (
        <Group>
          <Button variant="default" loading={trail.isFetchingNextPage} onClick={() => void trail.fetchNextPage()}>
            {words.older}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function HistoryEntry({ entry }: { readonly entry: Entry }): ReactNode {
  const { action, actor, actor_name: name, at, before, after } = entry;
  return (
    <Paper withBorder p="sm" component="section">
      <Text fw={500}>{words.by(actions[action] ?? action, name ?? actors[actor] ?? actor)}</Text>
      <Text size="sm" c="dimmed">
        <Moment at={at} />
      </Text>
      {before !== null && after !== null && <DifferencesTable before={before} after={after} labelOf={labelOf} />}
    </Paper>
  );
}
