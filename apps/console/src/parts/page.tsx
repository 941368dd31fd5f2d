import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { texts } from '../texts/texts.ts';

/** What every page is wrapped in. */
export interface PageProps {
  /** The heading, and the title of the window. */
  readonly title: string;
  /** What can be done here: buttons. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/**
 * A page: its heading takes the focus when somebody has come to it by what they did here, navigated or signed in, so that
 * a screen reader says where they are. When the browser has loaded the page, the focus is the browser's.
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
