import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';

/** An action that a user triggers by a button. */
export interface Action<Input> {
  /** Starts the action, unless it is running. */
  readonly begin: (input: Input) => void;
  readonly isPending: boolean;
  /** The error of the last run. */
  readonly error: Error | null;
}

export interface ActionOptions<Input> {
  /** Performs the action. Its exception becomes the `error`. */
  readonly perform: (input: Input) => Promise<unknown>;
  readonly onDone?: () => void;
  readonly onError?: (error: Error) => void;
}

/** Returns a mutation that never runs twice at the same time, even if a second click precedes the busy button. */
export function useAction<Input = void>({ perform, onDone, onError }: ActionOptions<Input>): Action<Input> {
  const mutationKey = [useId()];
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    ...{ mutationKey, mutationFn: perform },
    ...(onDone && { onSuccess: onDone }),
    ...(onError && { onError }),
  });
  const begin = (input: Input): void => {
    if (queries.isMutating({ mutationKey }) === 0) mutate(input);
  };
  return { begin, isPending, error };
}
