import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';

export interface RetryButtonProps {
  /** Retries. @returns the outcome, as a sentence */
  readonly onRetry: () => Promise<string>;
}

/** A button that retries an operation and shows the outcome. */
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
