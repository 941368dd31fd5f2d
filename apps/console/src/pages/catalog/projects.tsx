import type { ReactNode } from 'react';
import { RecordsPage } from '../../records/records-page.tsx';

/** The list of projects. */
export default function Projects(): ReactNode {
  return <RecordsPage list="projects" />;
}
