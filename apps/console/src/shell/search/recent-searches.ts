import { useSessionStorage } from '@mantine/hooks';
import { useSessionState } from '../../session/session.ts';

/** The maximum number of recent searches. */
const most = 5;

interface RecentSearches {
  /** The texts, latest first. */
  readonly searches: readonly string[];
  readonly add: (text: string) => void;
  readonly clear: () => void;
}

/** The recent searches of the user. The browser forgets them with its tab, because others may use the same computer. */
export function useRecentSearches(): RecentSearches {
  const state = useSessionState();
  const user = state.status === 'signed-in' ? state.session.user.id : 0;
  const [searches, setSearches] = useSessionStorage<readonly string[]>({
    key: `recent-searches-${String(user)}`,
    defaultValue: [],
  });
  return {
    searches,
    add: (text) => {
      setSearches([text, ...searches.filter((other) => other !== text)].slice(0, most));
    },
    clear: () => {
      setSearches([]);
    },
  };
}
