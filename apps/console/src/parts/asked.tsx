import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from './loading.tsx';
import { ProblemBox } from './problem-box.tsx';

/** Something that was asked for. */
export interface AskedProps<T> {
  readonly query: UseQueryResult<T>;
  /** Draws the answer. */
  readonly children: (answer: T) => ReactNode;
}

/**
 * Shows what a service has answered; until then that it is asked, or why it did not answer. Where it was asked once more
 * and did not answer, what it had answered stays beneath, for somebody may be writing there.
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
