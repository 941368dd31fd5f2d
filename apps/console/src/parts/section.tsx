import { Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A part of a page. */
export interface SectionProps {
  readonly title: string;
  /** What can be done with this part: buttons. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page, under a heading of its own. */
export function Section({ title, actions, children }: SectionProps): ReactNode {
  return (
    <Stack component="section" gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {title}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
