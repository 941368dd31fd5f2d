import type { ReactNode } from 'react';
import { RecordPage } from '../../records/record-page.tsx';

/** The page of a new or existing partner. */
export default function Partner(): ReactNode {
  return <RecordPage list="partners" />;
}
