import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';

/** Stands in the place of what is still to come. */
export function Loading(): ReactNode {
  return <Loader role="status" aria-label={texts.loading} />;
}
