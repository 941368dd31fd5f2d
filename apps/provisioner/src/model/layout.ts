import { join } from 'node:path';
import type { Subject, SubjectKind } from './identifier.js';

const folders: Readonly<Record<SubjectKind, string>> = { dataset: 'raw', submission: 'projects' };

/** The folder, inside each imported folder, that holds our records. */
export const recordFolder = '.import';

export const commitFile = `${recordFolder}/commit.json`;
export const fileListFile = `${recordFolder}/files.ndjson`;
export const manifestFile = `${recordFolder}/manifest-sha256.txt`;

/** Folders of the request log whose records say something of an open import; their names begin with its id. */
export const openImportFolders = ['status', 'cancel', 'shared'] as const;

/** Where everything is below the storage's root (provisioner interface, section 2): paths, or keys in a bucket. */
export class Layout {
  readonly data: string;

  /** @param root a folder; empty for keys */
  constructor(root: string) {
    this.data = join(root, 'data');
  }

  /** The folder of all imported subjects of a kind. */
  published(kind: SubjectKind): string {
    return join(this.data, folders[kind]);
  }

  /** The folder that one subject's files are in once imported. */
  pathOf({ kind, id }: Subject): string {
    return join(this.published(kind), id);
  }

  /** The same, as the interface shows it. */
  displayPathOf({ kind, id }: Subject): string {
    return `data/${folders[kind]}/${id}/`;
  }

  /** The folder of what was withdrawn. */
  withdrawn(kind: SubjectKind): string {
    return join(this.data, '.withdrawn', folders[kind]);
  }

  /** Where a withdrawal moves a subject to. Beside each other, so that the folder's own time tells of every one. */
  withdrawnPathOf({ kind, id }: Subject, token: string): string {
    return join(this.withdrawn(kind), `${id}.${token}`);
  }

  /** The same, as the interface shows it. */
  withdrawnDisplayPathOf({ kind, id }: Subject, token: string): string {
    return `data/.withdrawn/${folders[kind]}/${id}.${token}/`;
  }

  /** The folder of all attempts at one subject. */
  staging({ kind, id }: Subject): string {
    return join(this.data, '.staging', kind, id);
  }

  /** Where what is no longer wanted is moved before it is removed file by file. */
  get removed(): string {
    return join(this.data, '.staging', 'removed');
  }

  /** Where a store is tried out; what is left there is swept. */
  get probes(): string {
    return join(this.data, '.staging', 'probe');
  }

  /** Where files that will stand beside published ones are written first, and swept if they never do. */
  get stagedDocuments(): string {
    return join(this.data, '.staging', 'beside');
  }

  /** The commit objects of a kind, where they are not in the imported folders. */
  commits(kind: SubjectKind): string {
    return join(this.data, '.commits', folders[kind]);
  }

  get requests(): string {
    return join(this.data, '.requests');
  }

  /** Reports of what was rejected. */
  get quarantine(): string {
    return join(this.data, '.quarantine');
  }
}
