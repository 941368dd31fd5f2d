import type { ReactNode } from 'react';
import { RecordsPage } from '../../records/records-page.tsx';

/** The list of cohorts. */
export default function Cohorts(): ReactNode {
  return <RecordsPage list="cohorts" />;
}
