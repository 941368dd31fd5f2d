import { QueryClient } from '@tanstack/react-query';
import { Problem } from './problem.ts';

/** The cache of the services' responses. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refused request is not retried, because the service would refuse it again.
      retry: (count, error) => count < 2 && (!(error instanceof Problem) || isTemporary(error)),
    },
  },
});

function isTemporary({ code }: Problem): boolean {
  return code === 'unreachable' || code === 'dependency.down';
}
