import { join } from 'node:path';
import type { ManifestAlgorithm } from '../settings/manifest-algorithms.js';
import type { Subject, SubjectKind } from './identifier.js';

const folders: Readonly<Record<SubjectKind, string>> = { dataset: 'raw', submission: 'projects' };

/** The folder in each imported folder that contains the records of the import. */
export const recordFolder = '.import';

export const commitFile = `${recordFolder}/commit.json`;
export const fileListFile = `${recordFolder}/files.ndjson`;

/** Returns the path of a manifest in an imported folder. */
export function manifestOf(algorithm: ManifestAlgorithm): string {
  return `${recordFolder}/manifest-${algorithm}.txt`;
}

/** The folders of the request log with records about open imports. The name of a record begins with the import's id. */
export const openImportFolders = ['status', 'cancel', 'shared'] as const;

/** The layout of the storage: paths in a folder, or keys in a bucket. */
export class Layout {
  readonly data: string;

  /** @param root the root folder; empty for a bucket */
  constructor(root: string) {
    this.data = join(root, 'data');
  }

  /** Returns the folder of all imported subjects of a kind. */
  published(kind: SubjectKind): string {
    return join(this.data, folders[kind]);
  }

  /** Returns the folder of an imported subject. */
  pathOf({ kind, id }: Subject): string {
    return join(this.published(kind), id);
  }

  /** Returns the path of an imported subject as shown to callers. */
  displayPathOf({ kind, id }: Subject): string {
    return `data/${folders[kind]}/${id}/`;
  }

  /** Returns the folder of all withdrawn subjects of a kind. */
  withdrawn(kind: SubjectKind): string {
    return join(this.data, '.withdrawn', folders[kind]);
  }

  /**
   * Returns the folder to which a withdrawal moves a subject. All are direct children of one folder, so that the
   * modification time of that folder changes with each withdrawal.
   */
  withdrawnPathOf({ kind, id }: Subject, token: string): string {
    return join(this.withdrawn(kind), `${id}.${token}`);
  }

  /** Returns the path of a withdrawn subject as shown to callers. */
  withdrawnDisplayPathOf({ kind, id }: Subject, token: string): string {
    return `data/.withdrawn/${folders[kind]}/${id}.${token}/`;
  }

  /** Returns the folder of all attempts at a subject. */
  staging({ kind, id }: Subject): string {
    return join(this.data, '.staging', kind, id);
  }

  /** The folder to which unneeded folders are moved before their files are removed one by one. */
  get removed(): string {
    return join(this.data, '.staging', 'removed');
  }

  /** The folder for test writes. Leftovers in it are removed by the sweeper. */
  get probes(): string {
    return join(this.data, '.staging', 'probe');
  }

  /** The folder in which documents for collections are written before they are renamed into place. */
  get stagedDocuments(): string {
    return join(this.data, '.staging', 'beside');
  }

  /** Returns the folder of the commit objects of a kind, in a storage that keeps them outside the imported folders. */
  commits(kind: SubjectKind): string {
    return join(this.data, '.commits', folders[kind]);
  }

  /** The folder of the request log. */
  get requests(): string {
    return join(this.data, '.requests');
  }

  /** The folder of the reports about rejected deliveries. */
  get quarantine(): string {
    return join(this.data, '.quarantine');
  }
}
