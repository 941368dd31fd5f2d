import { Center, Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';

interface EntranceProps {
  /** The title of the window. */
  readonly title: string;
  readonly heading: string;
  readonly children: ReactNode;
}

/** A page for people who are not signed in: a heading and a form in the middle of the window. */
export function Entrance({ title, heading, children }: EntranceProps): ReactNode {
  return (
    <Center mih="100vh" p="md" component="main">
      <title>{`${title} · ${texts.title}`}</title>
      <Paper withBorder p="xl" w="100%" maw="26rem">
        <Stack>
          <Title order={1} size="h3">
            {heading}
          </Title>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
