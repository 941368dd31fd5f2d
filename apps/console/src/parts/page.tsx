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

/** Whether the browser has loaded the page itself, and so puts the focus where it belongs. */
let isFirstPage = true;

/** A page: its heading takes the focus when somebody navigates to it, so that a screen reader says where they are. */
export function Page({ title, actions, children }: PageProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus();
    isFirstPage = false;
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
