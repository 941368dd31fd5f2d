import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from './loading.tsx';
import { ProblemBox } from './problem-box.tsx';

export interface AskedProps<T> {
  readonly query: UseQueryResult<T>;
  /** Renders the response. */
  readonly children: (answer: T) => ReactNode;
}

/**
 * The response of a query, an indicator while the query runs, or the error. If a repeated query fails, the previous
 * response stays below the error, because it may contain unsaved inputs.
 */
export function Asked<T>({ query, children }: AskedProps<T>): ReactNode {
  if (query.isPending) return <Loading />;
  return (
    <>
      {query.isError && <ProblemBox error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && children(query.data)}
    </>
  );
}
