import type { ReactNode } from 'react';
import { Exposures } from '../../exposures/exposures.tsx';
import { RecordPage, type RecordTab } from '../../records/record-page.tsx';
import { ReadinessPanel } from '../../readiness/readiness-panel.tsx';
import { texts } from '../../texts/texts.ts';
import { AccessesOf } from '../accesses/accesses-of.tsx';
import { custodiansTab } from '../custodians/custodians.tsx';

const { tabs: labels } = texts.catalog;

const tabs: readonly RecordTab[] = [
  {
    name: 'readiness',
    label: texts.readiness.tab,
    right: 'exposures.read',
    hasForm: true,
    panel: (id, { refetch, edit }) => <ReadinessPanel dataset={id} onEdit={edit} onSaved={refetch} />,
  },
  custodiansTab('datasets'),
  {
    name: 'endpoints',
    label: labels.endpoints,
    right: 'exposures.read',
    panel: (id) => <Exposures dataset={id} />,
  },
  {
    name: 'accesses',
    label: labels.accesses,
    right: 'administrate',
    panel: (id) => <AccessesOf title={labels.accesses} narrowing={{ dataset: id }} />,
  },
];

/** The page of a new or existing dataset. */
export default function Dataset(): ReactNode {
  return <RecordPage list="datasets" tabs={tabs} />;
}
