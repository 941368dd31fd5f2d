import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { ListState } from './list-state.ts';

/** How long somebody who types must pause before the service is asked. */
const pauseMs = 300;

/** What is searched for, and where it goes. */
export interface SearchBoxProps {
  readonly label: string;
  readonly placeholder: string;
  readonly state: ListState;
}

/** A box to search in: the service is asked once somebody has stopped typing. */
export function SearchBox({ label, placeholder, state }: SearchBoxProps): ReactNode {
  const asked = state.parameters['q'] ?? '';
  const [typed, setTyped] = useState({ asked, text: asked });
  const ask = useDebouncedCallback((text: string) => {
    state.set({ q: text.trim() || undefined });
  }, pauseMs);
  // What the address says wins once it changes otherwise: by going back, or by clearing everything.
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
