import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';

const words = texts.people.endpoints;

export interface KeyInputProps {
  readonly value?: string;
  readonly defaultValue?: string;
  readonly onChange?: (event: { readonly currentTarget: { readonly value: string } }) => void;
  readonly error?: ReactNode;
  readonly 'data-path'?: string;
}

/** An input for an existing key of an endpoint. If the input is empty, the service generates a key. */
export function KeyInput(input: KeyInputProps): ReactNode {
  return (
    <TextInput
      label={words.pasted}
      description={words.pastedHint}
      maxLength={64}
      autoComplete="off"
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      {...input}
    />
  );
}
