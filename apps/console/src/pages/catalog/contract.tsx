import type { ReactNode } from 'react';
import { RecordPage } from '../../records/record-page.tsx';
import { custodiansSection } from '../custodians/custodians.tsx';

const sections = [custodiansSection('contracts')];

/** The page of a new or existing contract. */
export default function Contract(): ReactNode {
  return <RecordPage list="contracts" sections={sections} />;
}
