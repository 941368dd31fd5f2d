/** The two things that can be imported: a dataset, or a submission as a project collection. */
export type SubjectKind = 'dataset' | 'submission';

/** The subject of an import: a kind and an id. The id of a submission is its reference. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly id: string;
}

const shape = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Words that occur in paths of the HTTP interface in the position of an id. */
const reserved = new Set(['diff', 'import', 'removable', 'withdrawn']);

/**
 * Whether the name of a folder is valid as an id or a reference. Folders with other names are listed with the problem
 * `id.invalid` and are never read or changed.
 */
export function isIdentifier(name: string): boolean {
  return shape.test(name) && !name.endsWith('.') && !reserved.has(name.toLowerCase());
}

/** Returns the form of an id on a file system that ignores case. Ids are ASCII. */
export function foldedId(id: string): string {
  return id.toLowerCase();
}

/** Whether two ids differ, but only by case. */
export function differByCaseOnly(id: string, other: string): boolean {
  return id !== other && foldedId(id) === foldedId(other);
}
