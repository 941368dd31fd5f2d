import type { ReactNode } from 'react';
import { RecordPage } from '../../records/record-page.tsx';

/** One project, or a new one. */
export default function Project(): ReactNode {
  return <RecordPage list="projects" />;
}
