import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import type { Tagged } from '../api/client.ts';
import { texts } from '../texts/texts.ts';
import { idOf, publishRecord, type RecordDocument } from './record-lists.ts';

const words = texts.catalog.publication;

export interface PublicationButtonProps {
  readonly list: 'partners' | 'cohorts';
  readonly record: RecordDocument;
  /** Is called with the stored record. */
  readonly onStored: (stored: Tagged<RecordDocument>) => void;
}

/** A button that publishes a partner or cohort, or withdraws its publication. */
export function PublicationButton({ list, record, onStored }: PublicationButtonProps): ReactNode {
  const queries = useQueryClient();
  const isPublished = record['published'] === true;
  const change = useMutation({
    mutationFn: () => publishRecord(list, idOf(record), !isPublished),
    onSuccess: async (stored) => {
      onStored(stored);
      notifications.show({ message: isPublished ? words.notPublished : words.published });
      await queries.invalidateQueries({ predicate: ({ queryKey: [, what] }) => what !== 'record' });
    },
    onError: ({ message }) => notifications.show({ color: 'red', title: texts.problem.heading, message }),
  });
  return (
    <Button
      variant="default"
      loading={change.isPending}
      onClick={() => {
        change.mutate();
      }}
    >
      {isPublished ? words.unpublish : words.publish}
    </Button>
  );
}
