import { isDeepStrictEqual } from 'node:util';

/** Changes of some members. Absent and undefined members stay unchanged. */
export type ChangesOf<T> = { readonly [Member in keyof T]?: T[Member] | undefined };

/** Returns a record with changes applied. @returns null if the changes make no difference */
export function applyChanges<T extends object>(record: T, changes: ChangesOf<T>): T | null {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const after = { ...record, ...Object.fromEntries(given) };
  return isDeepStrictEqual(after, record) ? null : after;
}
