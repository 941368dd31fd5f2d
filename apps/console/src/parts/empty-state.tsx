import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** What stands in the place of an empty list. */
export interface EmptyStateProps {
  readonly title: string;
  /** What to do next. */
  readonly hint: string;
  /** Buttons or links that do it. */
  readonly children?: ReactNode;
}

/** Says that there is nothing yet, and what to do next. */
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
