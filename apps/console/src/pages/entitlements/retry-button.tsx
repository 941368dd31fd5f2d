import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';

/** Something that is tried again. */
export interface RetryButtonProps {
  /** Tries it. @returns what came of it, as a sentence */
  readonly onRetry: () => Promise<string>;
}

/** Tries something again, and says what came of it. */
export function RetryButton({ onRetry }: RetryButtonProps): ReactNode {
  const retry = useMutation({
    mutationFn: onRetry,
    onSuccess: (message) => notifications.show({ message }),
    onError: ({ message }) => notifications.show({ message, color: 'red' }),
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={retry.isPending}
      onClick={() => {
        retry.mutate();
      }}
    >
      {texts.people.entitlements.retry}
    </Button>
  );
}
