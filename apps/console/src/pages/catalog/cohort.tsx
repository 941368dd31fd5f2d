import type { ReactNode } from 'react';
import { RecordPage } from '../../records/record-page.tsx';

/** One cohort, or a new one. */
export default function Cohort(): ReactNode {
  return <RecordPage list="cohorts" />;
}
