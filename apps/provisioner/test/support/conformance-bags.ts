import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../../test/vendor/bagit-conformance-suite');

/** A bag of the Library of Congress' conformance suite. */
export interface ConformanceBag {
  /** The path in the suite, such as `v1.0/valid/basicBag`. */
  readonly path: string;
  /** The kind that the suite states: `valid`, `invalid`, `warning`, `linux-only` or `windows-only`. */
  readonly kind: string;
  readonly folder: string;
}

/** Returns every bag of the suite. */
export function conformanceBags(): readonly ConformanceBag[] {
  return foldersIn('')
    .filter((version) => version.startsWith('v'))
    .flatMap((version) => foldersIn(version).map((kind) => ({ kind, under: `${version}/${kind}` })))
    .flatMap(({ kind, under }) =>
      foldersIn(under).map((name) => ({ path: `${under}/${name}`, kind, folder: join(root, under, name) })),
    );
}

function foldersIn(path: string): string[] {
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
