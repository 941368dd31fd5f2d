import type { Commit, CommitHead, FileRecord } from '../model/commit.js';

/** The file name of the description of an RO-Crate. */
export const crateFile = 'ro-crate-metadata.json';

/** A dataset of a collection. The head of its commit is undefined if the dataset is not imported. */
export interface CrateMember {
  readonly id: string;
  readonly head: CommitHead | undefined;
}

type Entity = Readonly<Record<string, unknown>>;

const dataPolicy = '#access';

/**
 * Builds the description of a project collection as RO-Crate 1.2: its documents, and its datasets with their states. The
 * text depends only on the state of the storage.
 */
export function collectionCrate(
  commit: Commit,
  documents: readonly FileRecord[],
  members: readonly CrateMember[],
): string {
  const files = documents.filter(({ type }) => type === 'file').map(fileEntity);
  const datasets = members.map(memberEntity);
  const graph: readonly Entity[] = [
    {
      '@id': crateFile,
      '@type': 'CreativeWork',
      conformsTo: { '@id': 'https://w3id.org/ro/crate/1.2' },
      about: { '@id': './' },
    },
    rootEntity(commit, [...files, ...datasets]),
    {
      '@id': dataPolicy,
      '@type': 'CreativeWork',
      name: 'No licence is granted',
      description: 'Access to the data is decided by the data centre; nothing here grants any use of them.',
    },
    ...files,
    ...datasets,
  ];
  const context = ['https://w3id.org/ro/crate/1.2/context', { sha256: 'https://schema.org/sha256' }];
  return `${JSON.stringify({ '@context': context, '@graph': graph }, null, 2)}\n`;
}

function rootEntity({ id, description, imported_at }: Commit, parts: readonly Entity[]): Entity {
  return {
    '@id': './',
    '@type': 'Dataset',
    identifier: id,
    name: description?.['title'] ?? id,
    description: description?.['description'] ?? `Project collection of the submission ${id}.`,
    datePublished: imported_at,
    license: { '@id': dataPolicy },
    hasPart: parts.map((part) => ({ '@id': part['@id'] })),
  };
}

function fileEntity({ path, size, sha256, mtime_ns }: FileRecord): Entity {
  const name = path.split('/').at(-1);
  return {
    '@id': path.split('/').map(encodeURIComponent).join('/'),
    '@type': 'File',
    name,
    contentSize: String(size),
    dateModified: new Date(Number(BigInt(mtime_ns) / 1_000_000n)).toISOString(),
    sha256,
  };
}

/** Describes a dataset by a local id, because its files are outside the folder of the collection. */
function memberEntity({ id, head }: CrateMember): Entity {
  const shared = { '@id': `#dataset-${id}`, '@type': 'Dataset', identifier: id, name: id };
  if (!head) return { ...shared, description: 'Not imported.', creativeWorkStatus: 'Not imported' };
  return {
    ...shared,
    description: `Imported; its files are in data/raw/${id}/ of the storage.`,
    creativeWorkStatus: 'Imported',
    datePublished: head.imported_at,
    version: head.import_id,
  };
}
