import { Anchor, Paper, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SearchTexts } from '../../search-texts.ts';

/** Where a number leads. */
export interface Target {
  readonly to: string;
  readonly search?: SearchTexts;
}

/** A number, and what it counts. */
export interface FigureProps {
  readonly label: string;
  /** The number as it is read. */
  readonly value: ReactNode;
  /** The list of what is counted; none where the person may not see it. */
  readonly target?: Target | undefined;
  /** A small plot, or what else there is to say. */
  readonly children?: ReactNode;
}

/** A number in a frame that leads to its list. */
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

/** Leads to a list, in the words of what it holds. */
export function FigureLink({ target: { to, search }, children }: { target: Target; children: ReactNode }): ReactNode {
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to={to} search={search ?? {}} {...props} />}>
      {children}
    </Anchor>
  );
}
