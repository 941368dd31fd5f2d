import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Page } from '../parts/page.tsx';
import { texts } from '../texts/texts.ts';

/** The page for unknown addresses. */
export function NotFound(): ReactNode {
  return (
    <Page title={texts.notFound.heading}>
      <Text>{texts.notFound.hint}</Text>
    </Page>
  );
}
