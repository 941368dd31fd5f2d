import { jsonObjectOf } from '../submission-description.js';
import { algorithmOf, isDigest } from './algorithms.js';
import { isInside, type Declarations } from './declarations.js';

/** The descriptor of a Frictionless data package. */
export const dataPackageFile = 'datapackage.json';

/** Takes sizes, digests and the title of a Frictionless data package (v1 and v2) into the declarations. */
export function readDataPackage(into: Declarations, bytes: Buffer): void {
  const descriptor = jsonObjectOf(bytes);
  const resources: unknown = descriptor?.['resources'] ?? [];
  if (!descriptor || !Array.isArray(resources)) {
    into.invalid(dataPackageFile, 'it is not a JSON object with a list of resources');
    return;
  }
  if (typeof descriptor['title'] === 'string') into.addTitle(descriptor['title'], dataPackageFile, 'title');
  for (const resource of resources as unknown[]) readResource(into, (resource ?? {}) as Record<string, unknown>);
}

function readResource(into: Declarations, { path, bytes, hash }: Record<string, unknown>): void {
  const paths: unknown[] = path === undefined ? [] : [path].flat();
  for (const each of paths) {
    if (typeof each !== 'string' || (!isUrl(each) && !isInside(each))) {
      into.invalid(dataPackageFile, `the path ${JSON.stringify(each)} does not stay inside the package`);
      return;
    }
  }
  const only = paths.length === 1 ? (paths[0] as string) : undefined;
  for (const each of paths as string[]) if (!isUrl(each)) into.files.add(each);
  if (only === undefined || isUrl(only)) return;
  if (typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0) into.files.addSize(only, bytes);
  if (typeof hash === 'string') readHash(into, only, hash);
}

/** A digest without a prefix is an MD5, as the specification says. */
function readHash(into: Declarations, path: string, hash: string): void {
  const [digest = '', prefix = 'md5'] = hash.split(':').reverse();
  const algorithm = algorithmOf(prefix);
  if (!algorithm) return;
  if (isDigest(digest, algorithm)) into.addChecksum(path, algorithm, digest, dataPackageFile);
  else into.invalid(dataPackageFile, `the hash of ${path} is no ${algorithm} digest`);
}

function isUrl(path: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(path);
}
