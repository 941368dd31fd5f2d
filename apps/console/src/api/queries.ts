import { QueryClient } from '@tanstack/react-query';
import { Problem } from './problem.ts';

/** What the pages have asked for, kept for a while. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What a service refused it refuses again; only who could not be reached is asked once more.
      retry: (count, error) => count < 2 && (!(error instanceof Problem) || isTemporary(error)),
    },
  },
});

function isTemporary({ code }: Problem): boolean {
  return code === 'unreachable' || code === 'dependency.down';
}
