import { createContext } from 'react';

/** A callback for inputs whose value names a record that is created when the form is saved. */
export const NamesNew = createContext<() => void>(() => undefined);
