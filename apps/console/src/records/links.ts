import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { createContext } from 'react';
import { bodyOf, catalog } from '../api/client.ts';
import type { RecordList, RecordRow } from './record-lists.ts';

/** The records that are linked with a record, by kind. The service limits the `items` of each kind. */
export type RecordLinks = Readonly<
  Record<RecordList, { readonly items: readonly RecordRow[]; readonly total: number }>
>;

/** The linked records of the current page, or undefined before they are loaded. */
export const Links = createContext<RecordLinks | undefined>(undefined);

/** Returns the query of the linked records of a record. */
export function useLinks(list: RecordList, id: string): UseQueryResult<RecordLinks> {
  const path = `/api/admin/links/${list}/${encodeURIComponent(id)}`;
  return useQuery({
    queryKey: [list, 'links', id],
    // The type is the path of a list, because the types of the interface contain no path with a list in it.
    queryFn: async ({ signal }) =>
      (await bodyOf<unknown>(catalog.GET(path as '/api/admin/datasets', { signal }))) as RecordLinks,
  });
}

/** Returns the id of a linked record, by its name, acronym or id. */
export function linkedId(links: RecordLinks | undefined, list: RecordList, name: string): number | undefined {
  const found = links?.[list].items.find((row) => [row.name, row.acronym, String(row.id)].includes(name));
  return found?.id;
}
