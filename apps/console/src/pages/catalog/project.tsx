import type { ReactNode } from 'react';
import { RecordPage } from '../../records/record-page.tsx';
import { custodiansSection } from '../custodians/custodians.tsx';

const sections = [custodiansSection('projects')];

/** The page of a new or existing project. */
export default function Project(): ReactNode {
  return <RecordPage list="projects" sections={sections} />;
}
