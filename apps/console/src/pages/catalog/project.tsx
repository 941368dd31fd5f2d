import type { ReactNode } from 'react';
import { RecordPage } from '../../records/record-page.tsx';
import { custodiansTab } from '../custodians/custodians.tsx';

const tabs = [custodiansTab('projects')];

/** The page of a new or existing project. */
export default function Project(): ReactNode {
  return <RecordPage list="projects" tabs={tabs} />;
}
