import { isInside } from '../declarations.js';

/** The file that a line of a list declares. */
export interface Target {
  readonly path: string;
  /**
   * The number of names at the end of the path that another file must share to be the declared file, if no file has the
   * path. 0 if only the path counts.
   */
  readonly looseNames: number;
}

/**
 * The result for a path in a list: a file of the place, a file of another place (`elsewhere`), a path that states no place
 * (`unknown`), or a path that leaves the delivery (`outside`).
 */
export type Resolved = Target | 'elsewhere' | 'unknown' | 'outside';

/** Finds the files that the lines of a list declare. */
export type ListScope = (written: string) => Resolved;

/** The lists at the top of a submission, as they apply to one of its datasets or to its documents. */
export interface SubmissionScope {
  /** The id of the dataset; null for the documents. */
  readonly dataset: string | null;
  /** The paths of the documents. */
  readonly documents: readonly string[];
}

const absolute = /^(?:\/|[A-Za-z]:[\\/])/;

/** Returns the scope of a list in a folder of the place. Paths count from this folder. */
export function folderScope(listPath: string): ListScope {
  const folder = listPath.split('/').slice(0, -1);
  return (written) => {
    const isAbsolute = absolute.test(written);
    const names = isAbsolute ? absoluteNames(written) : normalised([...folder, ...written.split('/')]);
    if (!names) return 'outside';
    const looseNames = isAbsolute ? 1 : relativeNames(written);
    return targetOf(names, looseNames);
  };
}

/**
 * Returns the scope of a list at the top of a submission. A line declares a file of a dataset if its path contains the
 * dataset's id, or if the list is named after the dataset.
 *
 * @param stem the name of the list without its algorithm
 */
export function submissionScope({ dataset, documents }: SubmissionScope, stem: string | null): ListScope {
  const known = new Set(documents.map((path) => path.normalize('NFC')));
  return (written) => {
    const isAbsolute = absolute.test(written);
    const names = isAbsolute ? absoluteNames(written) : normalised(written.split('/'));
    if (!names || names.length === 0) return 'outside';
    const at = dataset === null ? -1 : isAbsolute ? names.indexOf(dataset) : names[0] === dataset ? 0 : -1;
    if (at >= 0 && at < names.length - 1) return targetOf(names.slice(at + 1), 0);
    const [first = ''] = names;
    const isDocument = names.length === 1 && known.has(first.normalize('NFC'));
    if (isDocument) return dataset === null ? targetOf(names, 0) : 'elsewhere';
    if (dataset !== null && stem === dataset) return targetOf(names, relativeNames(written));
    return names.length === 1 ? 'unknown' : 'elsewhere';
  };
}

function targetOf(names: readonly string[], looseNames: number): Target | 'outside' {
  const path = names.join('/');
  return isInside(path) ? { path, looseNames } : 'outside';
}

function absoluteNames(written: string): string[] {
  const path = written.startsWith('/') ? written : written.replaceAll('\\', '/');
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function relativeNames(written: string): number {
  return written.split('/').filter((name) => !['', '.', '..'].includes(name)).length;
}

/** Returns the names of a path without `.` and `..`; null if the path leaves its root. */
function normalised(names: readonly string[]): string[] | null {
  const kept: string[] = [];
  for (const name of names) {
    if (name === '..' && kept.pop() === undefined) return null;
    if (!['', '.', '..'].includes(name)) kept.push(name);
  }
  return kept;
}
