import { createContext } from 'react';

/** Told when an input names something that is to be made when the form is saved. */
export const NamesNew = createContext<() => void>(() => undefined);
