import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { bodyOf, catalog } from '../../api/client.ts';
import type { components } from '../../api/generated/catalog-api.ts';
import { searchDeliveries } from '../../pages/imports/calls.ts';
import { useMay } from '../../session/roles.ts';
import { texts } from '../../texts/texts.ts';
import { groups as navigation } from '../navigation.tsx';

const words = texts.finding.search;

/** A match, with the address to which it leads. */
export interface Match {
  readonly key: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}

/** The matches of one kind. */
export interface MatchGroup {
  readonly label: string;
  readonly matches: readonly Match[];
}

/** The result of a search. */
export interface Matches {
  readonly groups: readonly MatchGroup[];
  readonly isSearching: boolean;
  readonly isFailed: boolean;
  /** Whether only the search of the imports failed. */
  readonly areImportsMissing: boolean;
}

type ServerGroup = components['schemas']['SearchGroup'];
type ServerMatch = components['schemas']['SearchMatch'];

/** The maximum number of imports and pages. */
const most = 5;

/** Returns the records, terms, people, imports and pages that match a text. */
export function useMatches(text: string): Matches {
  const may = useMay();
  const mayImport = may('imports.read');
  const pages = pagesThatMatch(text, may);
  const records = useQuery({
    queryKey: ['search', text],
    enabled: text !== '',
    queryFn: ({ signal }) => bodyOf(catalog.GET('/api/admin/search', { params: { query: { q: text } }, signal })),
    placeholderData: keepPreviousData,
  });
  const imports = useQuery({
    queryKey: ['search', 'imports', text],
    enabled: text !== '' && mayImport,
    queryFn: ({ signal }) => searchDeliveries({ q: text }, signal),
    placeholderData: keepPreviousData,
  });
  const found = text === '' ? [] : (records.data?.groups ?? []).map((group) => groupOf(group, text));
  const deliveries = text === '' ? [] : (imports.data?.items ?? []).slice(0, most);
  const delivered = deliveries.map(({ id, title }) => ({
    key: `imports ${id}`,
    label: title ?? id,
    description: id,
    to: `/imports/datasets/${encodeURIComponent(id)}`,
  }));
  const groups = [
    ...found,
    { label: words.groups.imports, matches: delivered },
    { label: words.groups.pages, matches: pages },
  ];
  return {
    groups: groups.filter(({ matches }) => matches.length > 0),
    isSearching: text !== '' && (records.isFetching || imports.isFetching),
    isFailed: records.isError,
    areImportsMissing: imports.isError,
  };
}

function pagesThatMatch(text: string, may: ReturnType<typeof useMay>): Match[] {
  return navigation
    .flatMap(({ label, entries }) => entries.map((entry) => ({ ...entry, group: label })))
    .filter(({ right }) => right === undefined || may(right))
    .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
    .map(({ to, label, group }) => ({ key: `pages ${to}`, label, description: group, to }));
}

function groupOf({ kind, items, more }: ServerGroup, text: string): MatchGroup {
  const matches = items.map((item) => matchOf(kind, item));
  const list = kind === 'people' ? '/users' : `/${kind}`;
  if (more && kind !== 'terms') matches.push({ key: `${kind} all`, label: words.all, to: list, search: { q: text } });
  return { label: words.groups[kind], matches };
}

function matchOf(kind: ServerGroup['kind'], item: ServerMatch): Match {
  const { id, name, acronym, external_id: accession, project, email } = item;
  const key = `${kind} ${id}`;
  if (kind === 'terms') return { key, label: name, description: words.term(id), to: '/datasets', search: { q: name } };
  const to = kind === 'people' ? `/users/${id}` : `/${kind}/${id}`;
  const about = [accession, name ? acronym : null, project, email].filter((part) => part);
  return { key, label: (name || acronym) ?? id, description: about.join(' · ') || undefined, to };
}
