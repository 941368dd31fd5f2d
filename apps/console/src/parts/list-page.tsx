import { Button, Group, Loader, Select, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { CsvButton } from './csv-button.tsx';
import { DataTable, type Column } from './data-table.tsx';
import { EmptyState } from './empty-state.tsx';
import type { ListAnswer } from './list-answer.ts';
import { type ListState, useListState } from './list-state.ts';
import { Page } from './page.tsx';
import { PagerButtons } from './pager-buttons.tsx';
import { ProblemBox } from './problem-box.tsx';
import { SearchBox } from './search-box.tsx';

/** A search parameter with a few possible values. */
export interface ListFilter {
  readonly name: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

export interface ListPageProps<Row> {
  readonly title: string;
  /** The first part of the cache key of the list. */
  readonly queryKey: string;
  /** Requests a page by the parameters of the address: `q`, `sort`, `cursor` and the filters. */
  readonly load: (parameters: ListState['parameters'], signal: AbortSignal) => Promise<ListAnswer<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string | number;
  /** The placeholder of the search box. Without a placeholder, there is no search box. */
  readonly searchHint?: string;
  readonly filters?: readonly ListFilter[];
  /** Further inputs that filter the list. Their values are stored by `useListState`. */
  readonly moreFilters?: ReactNode;
  /** The page's buttons. */
  readonly actions?: ReactNode;
  /** The placeholder for a list without any entry. */
  readonly empty: { readonly title: string; readonly hint: string; readonly children?: ReactNode };
}

/** A page with a list that the service searches, filters, sorts and paginates. The address contains the state. */
export function ListPage<Row extends object>(props: ListPageProps<Row>): ReactNode {
  const { title, queryKey, load, searchHint, filters = [], moreFilters, actions } = props;
  const state = useListState();
  const answer = useQuery({
    queryKey: [queryKey, 'list', state.parameters],
    queryFn: ({ signal }) => load(state.parameters, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={title} actions={actions}>
      <Group align="flex-end" role="search">
        {searchHint !== undefined && <SearchBox label={texts.list.search} placeholder={searchHint} state={state} />}
        {filters.map((filter) => (
          <FilterSelect key={filter.name} filter={filter} state={state} />
        ))}
        {moreFilters}
      </Group>
      {answer.isError && <ProblemBox error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isPending && <Loader role="status" aria-label={texts.loading} />}
      {answer.data && <Answer {...props} answer={answer.data} state={state} />}
    </Page>
  );
}

type AnswerProps<Row> = ListPageProps<Row> & { readonly answer: ListAnswer<Row>; readonly state: ListState };

function Answer<Row extends object>(props: AnswerProps<Row>): ReactNode {
  const { title, columns, rowKey, empty, answer, state } = props;
  if (answer.items.length === 0 && !state.isNarrowed) return <EmptyState {...empty} />;
  if (answer.items.length === 0) {
    return (
      <EmptyState title={texts.list.nothingFound} hint={texts.list.nothingFoundHint}>
        <Button variant="default" onClick={state.clear}>
          {texts.list.clearFilters}
        </Button>
      </EmptyState>
    );
  }
  return (
    <Stack gap="xs">
      <DataTable label={title} rows={answer.items} columns={columns} rowKey={rowKey} state={state} />
      <Pager {...props} />
    </Stack>
  );
}

function Pager<Row extends object>({ answer, state, queryKey, load }: AnswerProps<Row>): ReactNode {
  const { total, next_cursor: next } = answer;
  const goNext =
    next === null
      ? undefined
      : (): void => {
          state.goNext(next);
        };
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" role="status">
        {total !== undefined && texts.list.total(total)}
      </Text>
      <Group>
        <CsvButton name={queryKey} load={load} parameters={state.parameters} />
        <PagerButtons onPrevious={state.goBack} onNext={goNext} />
      </Group>
    </Group>
  );
}

function FilterSelect({ filter, state }: { readonly filter: ListFilter; readonly state: ListState }): ReactNode {
  const all = { value: '', label: texts.list.all };
  return (
    <Select
      label={filter.label}
      data={[all, ...filter.options]}
      value={state.parameters[filter.name] ?? ''}
      allowDeselect={false}
      onChange={(value) => {
        state.set({ [filter.name]: value || undefined });
      }}
    />
  );
}
