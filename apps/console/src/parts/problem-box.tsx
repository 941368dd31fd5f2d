import { Alert, Button, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Problem } from '../api/problem.ts';
import { texts } from '../texts/texts.ts';

export interface ProblemBoxProps {
  readonly error: unknown;
  readonly title?: string;
  /** The action of a button for another attempt. */
  readonly onRetry?: () => void;
}

/** An error with its message, the invalid members and the id for a search in the service's log. */
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

/** Returns whether the message already contains every listed error. */
function saysAll({ message, fields }: Problem): boolean {
  return fields.every(({ field, problem }) => message === `${field} ${problem}` || message === problem);
}
