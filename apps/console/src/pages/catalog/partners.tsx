import type { ReactNode } from 'react';
import { RecordsPage } from '../../records/records-page.tsx';

/** The list of partners. */
export default function Partners(): ReactNode {
  return <RecordsPage list="partners" />;
}
