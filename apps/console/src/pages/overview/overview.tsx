import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { bodyOf, catalog } from '../../api/client.ts';
import { Asked } from '../../parts/asked.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Page } from '../../parts/page.tsx';
import { useMay } from '../../session/roles.ts';
import { texts } from '../../texts/texts.ts';
import { AccessNumbers } from './access-numbers.tsx';
import { ImportNumbers } from './import-numbers.tsx';
import { RecordNumbers } from './record-numbers.tsx';
import { TermNumbers } from './term-numbers.tsx';

const words = texts.overview;

/** The page with the catalog's numbers. */
export default function Overview(): ReactNode {
  const may = useMay();
  const maySeeAll = may('catalog.count');
  return (
    <Page title={texts.navigation.overview}>
      {maySeeAll ? <Numbers /> : <EmptyState title={words.nothingTitle} hint={words.nothingHint} />}
      {may('imports.read') && <ImportNumbers />}
    </Page>
  );
}

function Numbers(): ReactNode {
  const query = useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => bodyOf(catalog.GET('/api/admin/overview', { signal })),
  });
  return (
    <Asked query={query}>
      {(counts) => (
        <Stack gap="lg">
          <RecordNumbers counts={counts} />
          <AccessNumbers counts={counts} />
          <TermNumbers terms={counts.terms} />
        </Stack>
      )}
    </Asked>
  );
}
