import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

export interface EndInputProps {
  readonly label: string;
  readonly description: string;
  /** A date as `YYYY-MM-DD`, or an empty text for no end. */
  readonly value: string;
  readonly onChange: (day: string) => void;
}

/** An input that selects the last day of a validity. */
export function EndInput({ onChange, ...input }: EndInputProps): ReactNode {
  return (
    <TextInput
      {...input}
      type="date"
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
    />
  );
}
