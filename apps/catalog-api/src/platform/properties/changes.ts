import { isDeepStrictEqual } from 'node:util';

/** What is given of these members; the others are left out or undefined. */
export type ChangesOf<T> = { readonly [Member in keyof T]?: T[Member] | undefined };

/** A record after changes of some of its members; null when they make no difference to it. */
export function applyChanges<T extends object>(record: T, changes: ChangesOf<T>): T | null {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const after = { ...record, ...Object.fromEntries(given) };
  return isDeepStrictEqual(after, record) ? null : after;
}
