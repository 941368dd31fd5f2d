import type { ReactNode } from 'react';
import { RecordsPage } from '../../records/records-page.tsx';

/** The list of contracts. */
export default function Contracts(): ReactNode {
  return <RecordsPage list="contracts" />;
}
