import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';

/** Something that somebody does by a button, and what has come of it. */
export interface Deed<Input> {
  /** Begins, unless it is still being done. */
  readonly begin: (input: Input) => void;
  readonly isPending: boolean;
  /** Why the last one came to nothing. */
  readonly error: Error | null;
}

/** How something is done. */
export interface DeedOptions<Input> {
  /** Does it; what it throws is the deed's error. */
  readonly perform: (input: Input) => Promise<unknown>;
  readonly onDone?: () => void;
  readonly onError?: (error: Error) => void;
}

/** A mutation that runs once at a time: a second click may come before the button is drawn as one that is busy. */
export function useDeed<Input = void>({ perform, onDone, onError }: DeedOptions<Input>): Deed<Input> {
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
