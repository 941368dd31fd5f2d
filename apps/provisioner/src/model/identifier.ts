/** The two things that can be imported: a dataset, or a submission as a project collection. */
export type SubjectKind = 'dataset' | 'submission';

/** What an import is about: a kind and the id or reference. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly id: string;
}

const shape = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Words that stand in the paths of the interface where an id would. */
const reserved = new Set(['diff', 'import']);

/**
 * Whether a folder's name can be an id or a reference (provisioner interface, section 6). What cannot is listed with
 * the problem `id.invalid` and never touched on disk.
 */
export function isIdentifier(name: string): boolean {
  return shape.test(name) && !name.endsWith('.') && !reserved.has(name.toLowerCase());
}

/** What an id is where case is not distinguished, as on many network shares. Ids are ASCII. */
export function foldedId(id: string): string {
  return id.toLowerCase();
}

/** Whether two ids differ, and by case only. */
export function differByCaseOnly(id: string, other: string): boolean {
  return id !== other && foldedId(id) === foldedId(other);
}
