import { Alert, List, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Asked } from '../../parts/asked.tsx';
import { Facts } from '../../parts/facts.tsx';
import { texts } from '../../texts/texts.ts';
import { sizeText } from './quantities.ts';

const { plan: words } = texts.imports;

/** Of what stands in the way so much is written out. */
const problemsShown = 50;

/** What would be imported, as dialogs show it before they ask. */
export interface PlanSummary {
  readonly lines: readonly (readonly [name: string, value: ReactNode])[];
  readonly freeBytes: number | null;
  readonly fits: boolean;
  readonly isReady: boolean;
  /** Whether nothing would be imported. */
  readonly isNothing?: boolean;
  /** What stands in the way, in sentences. */
  readonly problems: readonly string[];
}

/** A plan as soon as it is there. */
export function PlanView({ plan }: { readonly plan: UseQueryResult<PlanSummary> }): ReactNode {
  return <Asked query={plan}>{(summary) => <Known {...summary} />}</Asked>;
}

function Known({ lines, freeBytes, fits, isReady, isNothing, problems }: PlanSummary): ReactNode {
  return (
    <Stack gap="xs">
      <Facts label={words.what} lines={[...lines, [words.free, sizeText(freeBytes)]]} />
      {!fits && <Alert color="red">{words.noRoom}</Alert>}
      {!isReady && <Alert color="yellow">{words.notReady}</Alert>}
      {isNothing && <Text>{words.nothing}</Text>}
      {problems.length > 0 && (
        <Alert color="red" title={words.problems}>
          <List size="sm">
            {problems.slice(0, problemsShown).map((problem) => (
              <List.Item key={problem}>
                <Text size="sm">{problem}</Text>
              </List.Item>
            ))}
          </List>
          {problems.length > problemsShown && (
            <Text size="sm">{words.moreProblems(problems.length - problemsShown)}</Text>
          )}
        </Alert>
      )}
    </Stack>
  );
}
