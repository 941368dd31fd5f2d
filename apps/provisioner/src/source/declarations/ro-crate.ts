import { jsonObjectOf } from '../submission-description.js';
import { algorithms, isDigest } from './algorithms.js';
import { isInside, type Declarations } from './declarations.js';

/** The descriptor of an RO-Crate. */
export const roCrateFile = 'ro-crate-metadata.json';

/** Takes the digests and sizes that an RO-Crate's file entities carry, and its title, into the declarations. */
export function readRoCrate(into: Declarations, bytes: Buffer): void {
  const graph = jsonObjectOf(bytes)?.['@graph'];
  if (!Array.isArray(graph)) {
    into.invalid(roCrateFile, 'it is not a JSON object with an @graph');
    return;
  }
  for (const entity of graph as (Record<string, unknown> | null)[]) {
    if (entity === null) continue;
    const id = entity['@id'];
    if (typeof id !== 'string') continue;
    if (id === './' && typeof entity['name'] === 'string') into.addTitle(entity['name'], roCrateFile, 'name');
    if ([entity['@type']].flat().includes('File')) readFile(into, id, entity);
  }
}

function readFile(into: Declarations, id: string, entity: Record<string, unknown>): void {
  const path = pathOf(id);
  if (path === null || !isInside(path)) return;
  for (const algorithm of algorithms) {
    const digest = entity[algorithm];
    if (typeof digest === 'string' && isDigest(digest, algorithm)) {
      into.addChecksum(path, algorithm, digest, roCrateFile);
    }
  }
  const size = Number(entity['contentSize']);
  if (entity['contentSize'] !== undefined && Number.isSafeInteger(size)) into.files.addSize(path, size);
}

function pathOf(id: string): string | null {
  try {
    return decodeURIComponent(id.replace(/^\.\//, ''));
  } catch {
    return null;
  }
}
