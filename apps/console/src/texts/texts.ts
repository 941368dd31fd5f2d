import { english } from './en.ts';

/** The texts of the language that is shown. */
export const texts: typeof english = english;
