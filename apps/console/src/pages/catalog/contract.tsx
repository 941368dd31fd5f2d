import type { ReactNode } from 'react';
import { RecordPage } from '../../records/record-page.tsx';

/** One contract, or a new one. */
export default function Contract(): ReactNode {
  return <RecordPage list="contracts" />;
}
