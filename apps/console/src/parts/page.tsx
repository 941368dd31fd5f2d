import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { texts } from '../texts/texts.ts';

export interface PageProps {
  /** The heading, and the title of the window. */
  readonly title: string;
  /** The page's buttons. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/**
 * A page whose heading receives the focus after a navigation or a sign-in, so that a screen reader announces the page.
 * When the browser loads the page, the focus does not move.
 */
export function Page({ title, actions, children }: PageProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (navigator.userActivation.hasBeenActive) heading.current?.focus();
  }, []);
  return (
    <Stack gap="md">
      <title>{`${title} · ${texts.title}`}</title>
      <Group justify="space-between" align="flex-start">
        <Title order={1} size="h2" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          {title}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
