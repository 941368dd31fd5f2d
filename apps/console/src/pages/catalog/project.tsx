import type { ReactNode } from 'react';
import { RecordPage } from '../../records/record-page.tsx';
import { custodiansTab } from '../custodians/custodians.tsx';

const tabs = [custodiansTab('projects')];

/** One project, or a new one. */
export default function Project(): ReactNode {
  return <RecordPage list="projects" tabs={tabs} />;
}
