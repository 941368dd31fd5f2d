import { english } from './en.ts';

/** The texts of the current language. */
export const texts: typeof english = english;
