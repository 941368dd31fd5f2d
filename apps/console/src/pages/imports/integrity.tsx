import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Problem } from '../../api/problem.ts';
import { Asked } from '../../parts/asked.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { HeadBadge } from '../../records/record-head.tsx';
import { texts } from '../../texts/texts.ts';
import { getDelivery, type ImportRun, keys, searchImports } from './calls.ts';
import { DeliveryLink, RunLink } from './links.tsx';
import { countText, sizeText } from './quantities.ts';
import { RecentImports } from './recent-imports.tsx';
import { StateBadge } from './state-badge.tsx';

const words = texts.reading;

interface SubjectProps {
  /** The id of the dataset in storage, which is the accession of its record. */
  readonly id: string;
}

/** Returns the query of the dataset in storage, or null if the source and the storage do not have it. */
function useDelivery(id: string) {
  return useQuery({
    queryKey: [keys.deliveries, 'of-record', id],
    queryFn: async ({ signal }) => {
      try {
        return await getDelivery(id, signal);
      } catch (error) {
        if (error instanceof Problem && error.code.endsWith('not_found')) return null;
        throw error;
      }
    },
  });
}

/** Returns the latest verification of a dataset. */
function useVerification(id: string): ImportRun | undefined {
  const query = useQuery({
    queryKey: [keys.imports, 'list', 'verification', id],
    queryFn: ({ signal }) => searchImports({ subject: id, kind: 'verify' }, signal),
  });
  return query.data?.items[0];
}

/** Badges with the state of a dataset in storage and the result of its latest verification. */
export function IntegrityBadges({ id }: SubjectProps): ReactNode {
  const delivery = useDelivery(id).data;
  const run = useVerification(id);
  if (!delivery) return null;
  return (
    <>
      <StateBadge state={delivery.state} />
      {delivery.imported_at !== null && <IntegrityBadge run={run} />}
    </>
  );
}

function IntegrityBadge({ run }: { readonly run: ImportRun | undefined }): ReactNode {
  if (!run) return <HeadBadge color="yellow">{words.integrity.never}</HeadBadge>;
  if (run.state === 'failed') return <HeadBadge color="red">✕ {words.integrity.differs}</HeadBadge>;
  if (run.state === 'finished') return <HeadBadge color="teal">✓ {words.integrity.verified}</HeadBadge>;
  return <HeadBadge color="blue">{words.integrity.running}</HeadBadge>;
}

/** A red alert if the latest verification of a dataset found a difference or failed. */
export function IntegrityAlert({ id }: SubjectProps): ReactNode {
  const run = useVerification(id);
  if (run?.state !== 'failed') return null;
  return (
    <Alert color="red" variant="light" title={words.integrity.alert} role="alert">
      <Stack gap={4} align="flex-start">
        <Text size="sm">{run.error?.message ?? words.integrity.alertText}</Text>
        <RunLink id={run.id}>{words.integrity.show}</RunLink>
      </Stack>
    </Alert>
  );
}

/** The files and the imports of a dataset. */
export function StoredFiles({ id }: SubjectProps): ReactNode {
  const query = useDelivery(id);
  const run = useVerification(id);
  return (
    <Asked query={query}>
      {(delivery) =>
        delivery === null ? (
          <Text c="dimmed">{words.files.none}</Text>
        ) : (
          <Stack>
            <Facts
              label={words.files.heading}
              lines={[
                [words.files.state, <StateBadge key="state" state={delivery.state} />],
                [words.files.integrity, delivery.imported_at !== null && <IntegrityBadge key="integrity" run={run} />],
                [words.integrity.verifiedAt, run?.finished_at != null && <Moment key="at" at={run.finished_at} />],
                [words.integrity.importedAt, delivery.imported_at !== null && <Moment at={delivery.imported_at} />],
                [texts.imports.fields.files, countText(delivery.files)],
                [texts.imports.fields.size, sizeText(delivery.bytes)],
                [texts.imports.fields.place, delivery.path],
              ]}
            />
            <DeliveryLink id={id}>{words.files.show}</DeliveryLink>
            <RecentImports subject={id} />
          </Stack>
        )
      }
    </Asked>
  );
}
