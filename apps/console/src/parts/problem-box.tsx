import { Alert, Button, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Problem } from '../api/problem.ts';
import { texts } from '../texts/texts.ts';

/** What is wrong. */
export interface ProblemBoxProps {
  readonly error: unknown;
  readonly title?: string;
  /** Shown as a button, when trying again makes sense. */
  readonly onRetry?: () => void;
}

/** Says what a service answered: its sentence, the places that are wrong, and what its log can be searched for. */
export function ProblemBox({ error, title = texts.problem.heading, onRetry }: ProblemBoxProps): ReactNode {
  const problem = error instanceof Problem ? error : undefined;
  return (
    <Alert color="red" variant="light" title={title} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{error instanceof Error ? error.message : String(error)}</Text>
        {problem !== undefined && !saysAll(problem) && (
          <List size="sm">
            {problem.fields.map(({ field, problem: reason }) => (
              <List.Item key={`${field} ${reason}`}>
                {field} {reason}
              </List.Item>
            ))}
          </List>
        )}
        {problem?.requestId !== undefined && (
          <Text size="xs" c="dimmed">
            {texts.problem.code} {problem.code} · {texts.problem.request} {problem.requestId}
          </Text>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {texts.problem.again}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** Whether the sentence says all that the list would: of one place it says the same. */
function saysAll({ message, fields }: Problem): boolean {
  return fields.every(({ field, problem }) => message === `${field} ${problem}` || message === problem);
}
