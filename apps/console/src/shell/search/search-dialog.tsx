import '@mantine/spotlight/styles.layer.css';
import { CloseButton, Text, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { texts } from '../../texts/texts.ts';
import { type Match, type Matches, type MatchGroup, useMatches } from './matches.ts';
import { useRecentSearches } from './recent-searches.ts';

const words = texts.finding.search;
const pauseMs = 200;
const [store, spotlight] = createSpotlight();

/** One search over records, terms, people, imports and pages. Opens each time that `openings` increases. */
export default function SearchDialog({ openings }: { readonly openings: number }): ReactNode {
  const [query, setQuery] = useState('');
  const [text] = useDebouncedValue(query.trim(), pauseMs);
  const isPhone = useMediaQuery('(max-width: 47.99em)');
  useEffect(() => {
    if (openings > 0) spotlight.open();
  }, [openings]);
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      fullScreen={isPhone}
      size="lg"
      scrollable
      maxHeight={isPhone ? 'calc(100dvh - 4rem)' : '70vh'}
      attributes={{ content: { 'aria-label': words.title } }}
    >
      <Spotlight.Search
        placeholder={words.placeholder}
        aria-label={words.label}
        maxLength={200}
        rightSectionPointerEvents="all"
        rightSection={<CloseButton aria-label={texts.dialog.close} onClick={spotlight.close} />}
      />
      <Results text={text} setQuery={setQuery} />
    </Spotlight.Root>
  );
}

interface ResultsProps {
  readonly text: string;
  readonly setQuery: (text: string) => void;
}

function Results({ text, setQuery }: ResultsProps): ReactNode {
  const navigate = useNavigate();
  const recent = useRecentSearches();
  const found = useMatches(text);
  const follow = ({ to, search }: Match): void => {
    if (text !== '') recent.add(text);
    void navigate({ to, ...(search && { search }) });
  };
  return (
    <Spotlight.ActionsList>
      <VisuallyHidden role="status">{statusOf(text, found)}</VisuallyHidden>
      {text === '' && <Recent {...recent} setQuery={setQuery} />}
      {found.groups.map((group) => (
        <Group key={group.label} {...group} onFollow={follow} />
      ))}
      {found.groups.length === 0 && <Spotlight.Empty>{statusOf(text, found)}</Spotlight.Empty>}
      <Hint text={text} found={found} />
    </Spotlight.ActionsList>
  );
}

function Group({ label, matches, onFollow }: MatchGroup & { readonly onFollow: (match: Match) => void }): ReactNode {
  return (
    <Spotlight.ActionsGroup label={label}>
      {matches.map((match) => (
        <Spotlight.Action
          key={match.key}
          label={match.label}
          {...(match.description !== undefined && { description: match.description })}
          dir="auto"
          onClick={() => {
            onFollow(match);
          }}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}

type RecentProps = ReturnType<typeof useRecentSearches> & Pick<ResultsProps, 'setQuery'>;

/** The recent searches, which replace the text of the search. */
function Recent({ searches, clear, setQuery }: RecentProps): ReactNode {
  if (searches.length === 0) return null;
  return (
    <Spotlight.ActionsGroup label={words.recent}>
      {searches.map((search) => (
        <Spotlight.Action
          key={search}
          label={search}
          closeSpotlightOnTrigger={false}
          onClick={() => {
            setQuery(search);
          }}
        />
      ))}
      <Spotlight.Action label={words.forget} closeSpotlightOnTrigger={false} onClick={clear} />
    </Spotlight.ActionsGroup>
  );
}

function Hint({ text, found }: { readonly text: string; readonly found: Matches }): ReactNode {
  const isEmpty = found.groups.length === 0 && !found.isSearching && !found.isFailed;
  const hint = found.areImportsMissing ? words.importsFailed : text === '' ? words.hint : words.nothingHint;
  if (text !== '' && !isEmpty && !found.areImportsMissing) return null;
  return (
    <Text size="sm" c="dimmed" p="sm">
      {hint}
    </Text>
  );
}

/** Returns the state of the search in words, which screen readers announce. */
function statusOf(text: string, { groups, isSearching, isFailed }: Matches): string {
  if (text === '') return '';
  if (isFailed) return words.failed;
  if (isSearching) return words.searching;
  const count = groups.reduce((sum, { matches }) => sum + matches.length, 0);
  return count === 0 ? words.nothing(text) : words.found(count);
}
