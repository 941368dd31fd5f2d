import { Alert, Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Asked } from '../../parts/asked.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { Section } from '../../parts/section.tsx';
import { texts } from '../../texts/texts.ts';
import { type Delivery as DeliveryAnswer, getDelivery, keys, manifestAddress } from './calls.ts';
import { FilesTable } from './files-table.tsx';
import { ImportDatasetButton } from './import-buttons.tsx';
import { ItsImport } from './its-import.tsx';
import { SubmissionLink } from './links.tsx';
import { ProblemCodes } from './problem-codes.tsx';
import { RecentImports } from './recent-imports.tsx';
import { countText, sizeText } from './quantities.ts';
import { PurgeButton, WithdrawButton } from './removal-buttons.tsx';
import { VerifyButton } from './run-buttons.tsx';
import { StateBadge } from './state-badge.tsx';

const { fields, datasets, heldIn } = texts.imports;

/** The page of a dataset: its delivery and its state in storage. */
export default function Delivery(): ReactNode {
  const { id = '' } = useParams({ strict: false });
  const answer = useQuery({
    queryKey: [keys.deliveries, 'record', id],
    queryFn: ({ signal }) => getDelivery(id, signal),
  });
  return (
    <Page title={id} actions={answer.data && <Buttons delivery={answer.data} />}>
      <Asked query={answer}>{(delivery) => <Known delivery={delivery} />}</Asked>
    </Page>
  );
}

interface KnownProps {
  readonly delivery: DeliveryAnswer;
}

function Buttons({
  delivery: { id, state, held_in: heldIn, imported_at: importedAt, import: latest },
}: KnownProps): ReactNode {
  if (importedAt !== null) {
    return (
      <>
        <WithdrawButton id={id} />
        <VerifyButton id={id} />
      </>
    );
  }
  if (state === 'importing') return null;
  const isWithdrawn = latest?.state === 'withdrawn';
  return (
    <>
      {isWithdrawn && <PurgeButton id={id} />}
      {heldIn !== null && <ImportDatasetButton id={id} isWithdrawn={isWithdrawn} />}
    </>
  );
}

function Known({ delivery }: KnownProps): ReactNode {
  const { id, state, imported_at: importedAt, import: latest } = delivery;
  return (
    <>
      <Group>
        <StateBadge state={state} />
      </Group>
      {state === 'differs' && (
        <Alert color="orange" title={datasets.differs}>
          {datasets.differsHint}
        </Alert>
      )}
      {latest && <ItsImport key={latest.id} reference={latest} />}
      <Facts label={id} lines={linesOf(delivery)} />
      <RecentImports subject={id} />
      {importedAt !== null && latest && <Manifest id={id} importId={latest.id} />}
    </>
  );
}

function Manifest({ id, importId }: { readonly id: string; readonly importId: string }): ReactNode {
  const download = (
    <Anchor href={manifestAddress(id)} download={datasets.manifestFile(id)}>
      {datasets.download}
    </Anchor>
  );
  return (
    <Section title={datasets.manifest} actions={download}>
      <FilesTable label={datasets.manifest} importId={importId} state="finished" none={datasets.manifestNone} />
    </Section>
  );
}

function linesOf(delivery: DeliveryAnswer): readonly (readonly [string, ReactNode])[] {
  return [
    [fields.title, delivery.title],
    [fields.submission, <SubmissionLink key="submission" id={delivery.submission} />],
    [fields.heldIn, delivery.held_in === null ? datasets.heldNowhere : heldIn[delivery.held_in]],
    [fields.files, countText(delivery.files)],
    [fields.size, sizeText(delivery.bytes)],
    [fields.modifiedAt, delivery.modified_at !== null && <Moment at={delivery.modified_at} />],
    [fields.ready, delivery.ready ? texts.yes : texts.no],
    [fields.checksums, delivery.declared_checksums.join(', ')],
    [fields.problems, delivery.problems.length > 0 && <ProblemCodes {...delivery} />],
    [fields.importedAt, delivery.imported_at !== null && <Moment at={delivery.imported_at} />],
    [fields.place, delivery.path],
    [fields.compared, delivery.integrity && <Compared integrity={delivery.integrity} />],
  ];
}

/** The number of files that had a declared checksum at the import, and the lists that were not compared. */
function Compared({ integrity }: { readonly integrity: NonNullable<DeliveryAnswer['integrity']> }): ReactNode {
  const { compared, files, algorithms, not_compared: lists } = integrity;
  return (
    <>
      {fields.comparedFiles(compared, files, algorithms.join(', '))}
      {lists.map(({ reason }) => (
        <Text key={reason} size="sm" c="dimmed">
          {reason}
        </Text>
      ))}
    </>
  );
}
