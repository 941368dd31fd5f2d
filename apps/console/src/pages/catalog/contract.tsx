import type { ReactNode } from 'react';
import { RecordPage } from '../../records/record-page.tsx';
import { custodiansTab } from '../custodians/custodians.tsx';

const tabs = [custodiansTab('contracts')];

/** The page of a new or existing contract. */
export default function Contract(): ReactNode {
  return <RecordPage list="contracts" tabs={tabs} />;
}
