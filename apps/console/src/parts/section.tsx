import { Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export interface SectionProps {
  readonly title: string;
  /** The buttons of the section. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A section of a page, with a heading. */
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
