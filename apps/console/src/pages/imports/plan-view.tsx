import { Alert, List, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Asked } from '../../parts/asked.tsx';
import { Facts } from '../../parts/facts.tsx';
import { texts } from '../../texts/texts.ts';
import { sizeText } from './quantities.ts';

const { plan: words } = texts.imports;

/** Maximum number of problems that are listed. */
const problemsShown = 50;

/** A summary of an import that has not started. */
export interface PlanSummary {
  readonly lines: readonly (readonly [name: string, value: ReactNode])[];
  readonly freeBytes: number | null;
  readonly fits: boolean;
  readonly isReady: boolean;
  /** Whether the import would be empty. */
  readonly isNothing?: boolean;
  /** The problems that prevent the import, as sentences. */
  readonly problems: readonly string[];
}

/** A summary of a plan, or its loading state. */
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
