import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { SearchTexts } from '../search-texts.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The cursors of the pages before the current page of a list. */
    readonly before?: readonly string[];
  }
}

/** The state of a list, which the address contains. */
export interface ListState {
  /** The values of `q`, `sort`, `cursor` and the filters. */
  readonly parameters: SearchTexts;
  /** Whether a search or a filter is active, so that an empty result does not mean an empty list. */
  readonly isNarrowed: boolean;
  /** Changes parameters and returns to the first page. */
  readonly set: (changes: SearchTexts) => void;
  /** Removes all parameters except the order. */
  readonly clear: () => void;
  readonly goNext: (cursor: string) => void;
  /** Shows the previous page. Undefined on the first page, or if the previous pages are unknown. */
  readonly goBack: (() => void) | undefined;
}

/** Returns the state of the list on the current page. */
export function useListState(): ListState {
  const parameters: SearchTexts = useSearch({ strict: false });
  const before = useRouterState({ select: ({ location }) => location.state.before });
  const navigate = useNavigate();
  const go = useCallback(
    (search: SearchTexts, trail?: readonly string[]) =>
      void navigate({ to: '.', search, state: { ...(trail && { before: trail }) }, resetScroll: false }),
    [navigate],
  );
  return useMemo(() => {
    const { cursor, sort, ...narrowing } = parameters;
    const trail = before ?? [];
    const former = trail.at(-1);
    const isOnward = cursor !== undefined && former !== undefined;
    return {
      parameters,
      isNarrowed: Object.values(narrowing).some((value) => value !== undefined),
      set: (changes) => {
        go({ ...narrowing, sort, ...changes });
      },
      clear: () => {
        go({ sort });
      },
      goNext: (next) => {
        go({ ...parameters, cursor: next }, [...trail, cursor ?? '']);
      },
      goBack: isOnward
        ? () => {
            go({ ...parameters, cursor: former || undefined }, trail.slice(0, -1));
          }
        : undefined,
    };
  }, [parameters, before, go]);
}
