import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';

const words = texts.people.endpoints;

/** A key that somebody brings along. */
export interface KeyInputProps {
  readonly value?: string;
  readonly defaultValue?: string;
  readonly onChange?: (event: { readonly currentTarget: { readonly value: string } }) => void;
  readonly error?: ReactNode;
  readonly 'data-path'?: string;
}

/** An input for the key of an endpoint: pasted, or left empty to have one made. */
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
