import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface EmptyStateProps {
  readonly title: string;
  /** The recommended next step. */
  readonly hint: string;
  /** Buttons or links for the next step. */
  readonly children?: ReactNode;
}

/** A placeholder for an empty list, with a recommended next step. */
export function EmptyState({ title, hint, children }: EmptyStateProps): ReactNode {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm" ta="center">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" maw="40rem">
          {hint}
        </Text>
        {children}
      </Stack>
    </Paper>
  );
}
