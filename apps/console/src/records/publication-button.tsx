import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import type { RecordEditing } from './record-editing.ts';
import { idOf, publishRecord, type RecordDocument } from './record-lists.ts';

const words = texts.catalog.publication;

export interface PublicationButtonProps {
  readonly list: 'partners' | 'cohorts';
  readonly record: RecordDocument;
  readonly editing: RecordEditing;
}

/** A button that publishes a partner or cohort, or withdraws its publication. */
export function PublicationButton({ list, record, editing }: PublicationButtonProps): ReactNode {
  const queries = useQueryClient();
  const isPublished = record['published'] === true;
  const change = useMutation({
    mutationFn: () => publishRecord(list, idOf(record), !isPublished),
    onSuccess: async (stored) => {
      editing.adopt(stored);
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
