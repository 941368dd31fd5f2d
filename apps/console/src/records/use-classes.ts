import { queryOptions } from '@tanstack/react-query';
import { bodyOf, catalog } from '../api/client.ts';

/** The query for all consent codes with their labels. */
export const useClassesQuery = queryOptions({
  queryKey: ['use-classes'],
  queryFn: async ({ signal }) => (await bodyOf(catalog.GET('/api/admin/use-classes', { signal }))).items,
});
