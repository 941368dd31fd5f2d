import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ExposureBadge } from '../../exposures/exposure-badge.tsx';
import { Exposures } from '../../exposures/exposures.tsx';
import { ReadinessPanel } from '../../readiness/readiness-panel.tsx';
import { idOf, type RecordDocument } from '../../records/record-lists.ts';
import { RecordPage, type RecordSection } from '../../records/record-page.tsx';
import { useMay } from '../../session/roles.ts';
import { texts } from '../../texts/texts.ts';
import { AccessesOf } from '../accesses/accesses-of.tsx';
import { custodiansSection } from '../custodians/custodians.tsx';
import { IntegrityAlert, IntegrityBadges, StoredFiles } from '../imports/integrity.tsx';

const { tabs: labels } = texts.catalog;
const { files } = texts.reading;

const sections: readonly RecordSection[] = [
  {
    name: 'files',
    label: files.heading,
    right: 'imports.read',
    panel: (_id, _refetch, record) => {
      const accession = accessionOf(record);
      return accession === undefined ? <Text c="dimmed">{files.noAccession}</Text> : <StoredFiles id={accession} />;
    },
  },
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
  {
    name: 'readiness',
    label: texts.readiness.tab,
    right: 'exposures.read',
    isClosed: true,
    panel: (id, refetch) => <Readiness id={id} onSaved={refetch} />,
  },
  custodiansSection('datasets'),
];

/** The page of a new or existing dataset. */
export default function Dataset(): ReactNode {
  return (
    <RecordPage
      list="datasets"
      sections={sections}
      badges={(record) => <Badges record={record} />}
      notices={(record) => <Notices record={record} />}
    />
  );
}

interface ReadinessProps {
  readonly id: string;
  readonly onSaved: () => Promise<void>;
}

/** Whether the dataset is ready for the national catalogue. A missing fact links to its input in the form. */
function Readiness({ id, onSaved }: ReadinessProps): ReactNode {
  const navigate = useNavigate();
  const edit = (field: string): void => {
    void navigate({ to: '/datasets/$id/edit', params: { id }, hash: field });
  };
  return <ReadinessPanel dataset={id} onEdit={edit} onSaved={onSaved} />;
}

interface RecordProps {
  readonly record: RecordDocument;
}

function Badges({ record }: RecordProps): ReactNode {
  const may = useMay();
  const accession = accessionOf(record);
  return (
    <>
      {may('exposures.read') && <ExposureBadge dataset={idOf(record)} />}
      {may('imports.read') && accession !== undefined && <IntegrityBadges id={accession} />}
    </>
  );
}

function Notices({ record }: RecordProps): ReactNode {
  const may = useMay();
  const accession = accessionOf(record);
  return may('imports.read') && accession !== undefined ? <IntegrityAlert id={accession} /> : null;
}

/** Returns the accession of a record, which is the id of its delivery. */
function accessionOf({ external_id: accession }: RecordDocument): string | undefined {
  return typeof accession === 'string' && accession !== '' ? accession : undefined;
}
