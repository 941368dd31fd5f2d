import type { ReactNode } from 'react';
import { RecordsPage } from '../../records/records-page.tsx';

/** The list of datasets. */
export default function Datasets(): ReactNode {
  return <RecordsPage list="datasets" />;
}
