import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

/** The day on which something ends. */
export interface EndInputProps {
  readonly label: string;
  readonly description: string;
  /** `YYYY-MM-DD`, or empty for no end. */
  readonly value: string;
  readonly onChange: (day: string) => void;
}

/** Chooses the last day of something. */
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
