import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { ListState } from './list-state.ts';

/** The pause in typing after which a request is sent. */
const pauseMs = 300;

export interface SearchBoxProps {
  readonly label: string;
  readonly placeholder: string;
  readonly state: ListState;
}

/** A search box that sends a request when the user stops typing. */
export function SearchBox({ label, placeholder, state }: SearchBoxProps): ReactNode {
  const asked = state.parameters['q'] ?? '';
  const [typed, setTyped] = useState({ asked, text: asked });
  const ask = useDebouncedCallback((text: string) => {
    state.set({ q: text.trim() || undefined });
  }, pauseMs);
  // If the address changes for another reason, e.g. by going back, its search text replaces the typed text.
  const text = typed.asked === asked || typed.text.trim() === asked ? typed.text : asked;
  return (
    <TextInput
      type="search"
      label={label}
      placeholder={placeholder}
      value={text}
      maxLength={200}
      onChange={(event) => {
        setTyped({ asked, text: event.currentTarget.value });
        ask(event.currentTarget.value);
      }}
    />
  );
}
