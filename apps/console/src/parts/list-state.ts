import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { SearchTexts } from '../search-texts.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The cursors of the pages of a list that lie before the one that is shown. */
    readonly before?: readonly string[];
  }
}

/** What a list shows, as the address has it. */
export interface ListState {
  /** `q`, `sort`, `cursor`, and the filters. */
  readonly parameters: SearchTexts;
  /** Whether something was searched for or chosen, so that nothing found does not mean that there is nothing. */
  readonly isNarrowed: boolean;
  /** Changes some parameters and goes to the first page. */
  readonly set: (changes: SearchTexts) => void;
  /** Clears everything but the order. */
  readonly clear: () => void;
  readonly goOn: (cursor: string) => void;
  /** Undefined on the first page, and where the pages before are not known. */
  readonly goBack: (() => void) | undefined;
}

/** The state of the list on this page. */
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
      goOn: (next) => {
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
