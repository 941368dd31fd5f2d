import { Anchor, Paper, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SearchTexts } from '../../search-texts.ts';

/** The target of a link. */
export interface Target {
  readonly to: string;
  readonly search?: SearchTexts;
}

export interface FigureProps {
  readonly label: string;
  /** The formatted number. */
  readonly value: ReactNode;
  /** The list of the counted entries, or undefined if the user may not read the list. */
  readonly target?: Target | undefined;
  /** A small chart or further text. */
  readonly children?: ReactNode;
}

/** A number in a frame, with a link to the list of the counted entries. */
export function Figure({ label, value, target, children }: FigureProps): ReactNode {
  return (
    <Paper withBorder p="md">
      <Stack gap={4}>
        <Text size="xl" fw={700}>
          {value}
        </Text>
        {target ? <FigureLink target={target}>{label}</FigureLink> : <Text size="sm">{label}</Text>}
        {children}
      </Stack>
    </Paper>
  );
}

/** A link to a list. */
export function FigureLink({ target: { to, search }, children }: { target: Target; children: ReactNode }): ReactNode {
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to={to} search={search ?? {}} {...props} />}>
      {children}
    </Anchor>
  );
}
