import type { ReactNode } from 'react';
import { RecordPage } from '../../records/record-page.tsx';

/** One partner, or a new one. */
export default function Partner(): ReactNode {
  return <RecordPage list="partners" />;
}
