import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';

/** An indicator in place of content that is loading. */
export function Loading(): ReactNode {
  return <Loader role="status" aria-label={texts.loading} />;
}
