import type { ReactNode } from 'react';
import { RecordPage } from '../../records/record-page.tsx';

/** The page of a new or existing cohort. */
export default function Cohort(): ReactNode {
  return <RecordPage list="cohorts" />;
}
