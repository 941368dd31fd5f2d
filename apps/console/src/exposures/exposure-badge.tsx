import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { bodyOf, catalog } from '../api/client.ts';
import { HeadBadge } from '../records/record-head.tsx';
import { texts } from '../texts/texts.ts';

const words = texts.reading.badges;

/** A badge with the endpoints to which a dataset is exposed. */
export function ExposureBadge({ dataset }: { readonly dataset: string }): ReactNode {
  const exposures = useQuery({
    queryKey: ['exposures', 'list', dataset],
    queryFn: ({ signal }) =>
      bodyOf(catalog.GET('/api/datasets/{dataset}/exposures', { params: { path: { dataset } }, signal })),
  });
  if (!exposures.data) return null;
  const endpoints = exposures.data.results.filter(({ deprecated }) => !deprecated).map(({ endpoint }) => endpoint);
  if (endpoints.length === 0) return <HeadBadge color="gray">{words.notExposed}</HeadBadge>;
  return <HeadBadge color="teal">{words.exposed([...new Set(endpoints)])}</HeadBadge>;
}
